"""The parts of the search for a faulty line, each against an oracle of its own: field arithmetic
against its laws and dual numbers, the needed value against a full evaluation, edits against theirs."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import assume, given, strategies as st

from pytest_backprop.exercises.functions.bank import parse_variant
from pytest_backprop.repair.arithmetic import HOLDS, called, compute, raised, root, sign, slopes
from pytest_backprop.repair.bench import POINTS, Bench, Budget, OutOfBudget
from pytest_backprop.repair.edits import edits, value_of
from pytest_backprop.repair.field import PRIME, Pole, inverse
from pytest_backprop.repair.roles import derivatives, evaluate, variant_nodes
from pytest_backprop.repair.scalar_nodes import Node
from pytest_backprop_authoring.variants.dual import Dual

RESIDUES = st.integers(1, PRIME - 1)
VARIANT = parse_variant("def v1():\n  r1 = w0 * x1 + w1 / x2\n  return r1 ** 3 - w0 / (r1 + x2)\n")
KINKED = parse_variant("def v2():\n  return (w0 * x1).abs() + max(w0, w1 * x2) * x1\n")
AMPLE = 10**7


# -- the field ----------------------------------------------------------------------------------


@given(RESIDUES, RESIDUES)
def test_signs_multiply_as_those_of_numbers_do(a: int, b: int) -> None:
    assert sign(a * b % PRIME) == sign(a) * sign(b)
    assert sign(-a % PRIME) == -sign(a)
    assert sign(a * a % PRIME) == sign(inverse(a) * a % PRIME) == 1
    assert sign(0) == 0


@given(RESIDUES, RESIDUES)
def test_pieces_keep_their_laws(a: int, b: int) -> None:
    positive = sign((a - b) % PRIME) > 0
    assert called("maximum", (a, b)) == (a if positive else b) == called("maximum", (b, a))
    assert (called("maximum", (a, b)) + called("minimum", (a, b))) % PRIME == (a + b) % PRIME
    assert called("abs", (a,)) == called("abs", (-a % PRIME,)) == sign(a) * a % PRIME
    assert called("relu", (a,)) in (0, a)
    assert (2 * called("relu", (a,)) - a) % PRIME == called("abs", (a,))
    assert called("gt", (a, b)) + called("le", (a, b)) == 1
    assert set(HOLDS) == {"gt", "lt", "ge", "le"}


@given(RESIDUES, RESIDUES)
def test_roots_of_products_are_products_of_roots(a: int, b: int) -> None:
    squares = a * a % PRIME, b * b % PRIME
    assert root(squares[0]) * root(squares[1]) % PRIME == root(squares[0] * squares[1] % PRIME)
    assert raised(squares[0], 1.5) == root(squares[0]) ** 3 % PRIME
    assert raised(squares[0], -0.5) == inverse(root(squares[0]))


def test_what_is_no_square_has_no_root() -> None:
    with pytest.raises(Pole):
        root(PRIME - 1)


@given(RESIDUES, RESIDUES, st.sampled_from(["add", "sub", "mul", "div", "neg", "pow"]))
def test_slopes_are_those_of_dual_numbers(a: int, b: int, code: str) -> None:
    x, y = Dual(a, (1, 0)), Dual(b, (0, 1))
    wanted = {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y, "neg": -x, "pow": x**3}[code]
    operands = (0, 1)[: 1 if code in ("neg", "pow") else 2]
    node = Node(code, operands, number=3 if code == "pow" else 0)  # type: ignore[arg-type]
    value = compute(node, *(a, b)[: len(operands)])
    found = slopes(node, (a, b)[: len(operands)], value)
    assert value == wanted.value
    assert found is not None
    assert [slope % PRIME for slope in found] == list(wanted.slopes[: len(operands)])


# -- derivatives of a variant -------------------------------------------------------------------


def test_adjoints_and_tangents_of_the_weights_are_the_gradients() -> None:
    nodes = variant_nodes(VARIANT)
    names = ("w0", "w1", "x1", "x2")
    leaves = dict(zip(names, random.Random(1).sample(range(PRIME), 4), strict=True))
    values = evaluate(nodes, leaves, [node.number or 0 for node in nodes])  # type: ignore[misc]
    at = [next(n for n, node in enumerate(nodes) if node.name == w) for w in ("w0", "w1")]
    found = derivatives(nodes, values, len(nodes) - 1, at)
    duals = {n: Dual(v, (int(n == "w0"), int(n == "w1"))) for n, v in leaves.items()}
    wanted = VARIANT.evaluate(duals)
    assert found is not None
    assert values[-1] == wanted.value
    assert tuple(found.adjoint(w) for w in at) == wanted.slopes
    for slope in wanted.slopes:
        assert {role.kind for role in found.roles[slope]} >= {"adjoint", "tangent"}


# -- the bench ----------------------------------------------------------------------------------


def faulty_bench(variant=VARIANT, budget: int = AMPLE) -> tuple[list[Node], Bench]:  # type: ignore[no-untyped-def]
    """The variant's own program with its last operator changed; it has no gradients."""
    nodes = variant_nodes(variant)
    leaves = {node.name for node in nodes}
    nodes = [*(Node("leaf", name=w) for w in variant.weights if w not in leaves), *nodes]
    last = nodes[-1]
    nodes[-1] = last._replace(code="add" if last.code != "add" else "mul")
    outputs = [len(nodes) - 1, *(None for _ in variant.weights)]
    return nodes, Bench(nodes, outputs, variant, Budget(budget))


def test_the_needed_value_of_a_node_makes_the_result_right() -> None:
    nodes, bench = faulty_bench()
    solved = 0
    for n in bench.reaching:
        needed = bench.needed(n) if nodes[n].operands else None
        if needed is None:
            continue
        solved += 1
        for p in range(POINTS):
            values = list(bench.values[p])
            values[n] = needed[p]
            for m in range(n + 1, len(nodes)):
                if nodes[m].operands:
                    values[m] = compute(nodes[m], *(values[o] for o in nodes[m].operands))
            assert values[-1] == bench.right[p][0]
    assert solved >= 3


def test_points_to_search_on_are_on_one_side_of_each_kink() -> None:
    nodes, bench = faulty_bench(KINKED)
    sides = [
        tuple(sign(sum(s * values[o] for s, o in zip((1, -1), node.operands, strict=False)) % PRIME)
              for node in nodes if node.code == "call")
        for values in bench.values
    ]  # fmt: skip
    assert len(sides) == POINTS
    assert len(set(sides)) == 1


def test_every_run_draws_the_same_points() -> None:
    assert faulty_bench()[1].values == faulty_bench()[1].values


def test_nothing_is_spent_beyond_the_budget() -> None:
    nodes, bench = faulty_bench()
    left = bench.budget.left = 40
    with contextlib.suppress(OutOfBudget):
        for n in range(10**6):
            bench.needed(n % len(nodes))
            assert 0 <= bench.budget.left <= left
    assert 0 <= bench.budget.left < left
    assert n < 10**6 - 1
    with pytest.raises(OutOfBudget):
        faulty_bench(budget=3)


# -- edits --------------------------------------------------------------------------------------

NODES = [
    Node("leaf", name="w0"), Node("leaf", name="w1"), Node("leaf", name="x1"),
    Node("mul", (0, 1)), Node("sub", (3, 2)), Node("pow", (2,), number=2), Node("neg", (4,)),
    Node("div", (3, 2)), Node("number", number=3), Node("mul", (8, 7)), Node("call", (2,), name="exp"),
]  # fmt: skip
WANTED = {
    "sign": (4, ("neg", ("node", 4))),
    "operator": (4, ("add", ("node", 3), ("node", 2))),
    "order": (4, ("sub", ("node", 2), ("node", 3))),
    "operand": (4, ("sub", ("node", 1), ("node", 2))),
    "exponent": (5, ("pow", ("node", 2), 3)),
    "number": (8, ("number", 2)),
    "term": (3, ("add", ("node", 3), ("node", 2))),
    "extra": (4, ("node", 3)),
    "factor": (7, ("mul", ("node", 7), ("node", 1))),
    "dropped neg": (6, ("node", 4)),
    "function": (10, ("call", "sin", ("node", 2))),
}


@given(RESIDUES, RESIDUES, RESIDUES)
@pytest.mark.parametrize("kind", WANTED)
def test_a_slip_is_found_and_each_edit_gives_what_is_needed(
    kind: str, w0: int, w1: int, x1: int
) -> None:
    n, tree = WANTED[kind]
    values = evaluate(NODES, {"w0": w0, "w1": w1, "x1": x1}, [node.number or 0 for node in NODES])  # type: ignore[misc]
    needed = value_of(tree, values)
    assume(needed not in (0, values[n]))
    known: dict[int, list[int]] = {}
    for m in range(n):
        known.setdefault(values[m], []).append(m)
    found = list(edits(NODES, n, values, needed, known))
    assert found
    assert all(value_of(edit.tree, values) == needed for edit in found)
