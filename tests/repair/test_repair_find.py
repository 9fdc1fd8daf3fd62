"""The search for a faulty line on passes with one fault each, recorded in this process."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import msgspec
import pytest

from pytest_backprop.exercises.functions.bank import Variant, parse_variant
from pytest_backprop.exercises.functions.scenarios import generic_points, scenario
from pytest_backprop.messages import use_language
from pytest_backprop.model import Output, Recording, Ref, Unit
from pytest_backprop.processes.child import answer
from pytest_backprop.processes.protocol import Limits, Ran, Request
from pytest_backprop.repair import FaultSearch, find
from pytest_backprop.repair.edits import Tree
from pytest_backprop.repair.scalars import Scalars
from pytest_backprop.repair.search import search
from pytest_backprop.repair.text import Text

VARIANT = parse_variant("def v9():\n  r1 = w0 * x1 - w1 ** 3\n  return r1 / (r1 + x2)\n")
TEXT = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        w0, w1 = self.w
        r1 = w0 * x1 - w1 ** 3
        return r1 / (r1 + x2)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 ** 3
        r1 = a - b
        c = r1 + x2
        y = r1 / c
        dc = -r1 / c ** 2
        dr1 = 1 / c + dc
        db = -dr1
        dw0 = dr1 * x1
        dw1 = db * 3 * w1 ** 2
        self.w.grad = torch.stack([dw0, dw1])
        return y
"""
FAULTS = {
    "sign": ("db = -dr1", "db = dr1", "sign"),
    "exponent": ("* w1 ** 2", "* w1 ** 3", "exponent"),
    "dropped path": ("1 / c + dc", "1 / c", "term"),
    "operand": ("dr1 * x1", "dr1 * x2", "operand"),
    "operator": ("dr1 * x1", "dr1 / x1", "operator"),
    "order": ("a - b", "b - a", "order"),
    "constant": ("db * 3 *", "db * 2 *", "number"),
    "forward statement": ("c = r1 + x2", "c = r1 - x2", "operator"),
    "typed in": ("w0, w1 = self.w\n        a", "w0, w1 = 0.5, self.w[1]\n        a", "typed-in"),
    "a term too many": ("dr1 * x1", "dr1 * x1 + x2", "extra"),
}


def recorded(text: str, ahead: bool = False, variant: Variant = VARIANT) -> Recording:
    given = generic_points(variant, 1, 8)
    told = answer(
        Request((Unit(text, original=text),), None, (scenario(variant, given),), 1,
                Limits(60, 2**30, False))
    )  # fmt: skip
    assert isinstance(told, Ran), told
    evidence = told.evidences[0]
    return (evidence.forward_recordings if ahead else evidence.pass_recordings)[0]


def sought(
    text: str, ahead: bool = False, work: int = 600_000, variant: Variant = VARIANT
) -> FaultSearch:
    recording = recorded(text, ahead, variant)
    return find(variant, recording, [text], work)


def spoiled(*faults: str) -> tuple[str, list[int]]:
    """The pass with faults, and their lines."""
    text, lines = TEXT, []
    for right, wrong in (FAULTS[fault][:2] for fault in faults):
        head, found, tail = text.rpartition(right)
        assert found, right
        lines.append(head.count("\n") + 1)
        text = head + wrong + tail
    return text, sorted(lines)


def nodes_in(tree: Tree) -> Iterator[int]:
    """The nodes that an edit reads."""
    if tree[0] == "node":
        yield tree[1]
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from nodes_in(part)


def lines_of(found: FaultSearch) -> list[int]:
    return [line.site.line for line in found.lines if line.site is not None]


def test_in_a_right_pass_nothing_is_found() -> None:
    for ahead in (False, True):
        found = sought(TEXT, ahead)
        assert (found.lines, found.all) == ((), ())
        assert found.reason


@pytest.mark.parametrize("fault", FAULTS)
def test_the_line_of_a_single_fault_comes_first_with_its_kind(fault: str) -> None:
    text, lines = spoiled(fault)
    found = sought(text)
    first = found.lines[0]
    assert lines_of(found)[0] == lines[0], found
    assert first.kind == FAULTS[fault][2]
    assert first.sure in ("alone", "one of several")
    assert first in found.all or found.all[0].site == first.site


@pytest.mark.parametrize("zero", ["torch.zeros(())", "torch.tensor(0.0)", "x1.new_zeros(())", "0"])
def test_a_sum_that_begins_with_zero_is_searched_alike(zero: str) -> None:
    text, lines = spoiled("dropped path")
    found = sought(text.replace("r1 = a - b", f"r1 = {zero} + a - b"))
    assert lines_of(found)[0] == lines[0], found
    assert found.lines[0].kind == "term"


def test_a_wrong_forward_is_searched_alike() -> None:
    text = TEXT.replace("r1 = w0 * x1 - w1 ** 3", "r1 = w0 * x1 - w1 ** 2", 1)
    found = sought(text, ahead=True)
    assert lines_of(found) == [12]
    assert found.lines[0].kind == "exponent"


def test_gradients_in_each_others_place_are_one_mistake() -> None:
    (line,) = sought(TEXT.replace("[dw0, dw1]", "[dw1, dw0]")).lines
    assert (line.kind, line.sure) == ("swapped", "alone")
    assert line.message == "`dw0` and `dw1` stand in each other's place"


def test_a_value_is_told_by_the_role_its_name_should_have() -> None:
    found = sought(spoiled("sign")[0])
    assert found.lines[0].message == (
        "`db` has the wrong sign here: it should be ∂y/∂b, and is its negative"
    )


def test_where_the_same_mistake_would_do_a_line_on_both_lines_are_told() -> None:
    """A path that is missing may be missing from what is added up, or from where it is."""
    text = TEXT.replace("dw0 = dr1 * x1", "p = dc * x1\n        q = x1 / c").replace(
        "self.w.grad = torch.stack([dw0, dw1])",
        "self.w.grad = torch.zeros(2)\n        self.w.grad[0] += q\n        self.w.grad[1] += dw1",
    )
    found = sought(text)
    shown = [text.splitlines()[line - 1].strip() for line in lines_of(found)]
    assert set(shown) == {"q = x1 / c", "self.w.grad[0] += q"}
    assert {line.sure for line in found.lines} == {"one of several"}
    assert {line.kind for line in found.lines} == {"term"}
    assert found.lines[1].message.startswith("it could be this line instead")


CHAIN = parse_variant("def v8():\n  r1 = w0 * x1 - w1 ** 3\n  return x1 / (x2 - r1)\n")
STEPS = {
    "t1": "w0 * x1", "t2": "w1 ** 3", "t3": "t1 - t2", "s": "x2 - t3", "t4": "s", "y": "x1 / t4",
    "g2": "-x1 / t4 ** 2", "g3": "-g2", "g4": "g3", "g5": "-g4",
    "dw0": "g4 * x1", "dw1": "g5 * 3 * w1 ** 2",
}  # fmt: skip
"""g2 is ∂y/∂t4, g3 is ∂y/∂t3; g4 is not the only line with nothing but a name, which would be suspicious."""


def chain(**faults: str) -> str:
    return written({**STEPS, **faults})


def written(steps: dict[str, str]) -> str:
    """A pass of these lines."""
    lines = [f"        {name} = {value}" for name, value in steps.items()]
    head, _, tail = TEXT.partition("        a = w0 * x1\n")
    return head + "\n".join(lines) + "\n" + tail[tail.index("        self.w.grad") :]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("g2", "x1 / t4 ** 2"), ("g2", "-x1 / t4"), ("g3", "g2"), ("g3", "-g2 / t4"), ("g4", "g3 * x1"),
     ("g5", "g4"), ("g5", "-g4 * t1"), ("dw0", "g4")],
)  # fmt: skip
def test_along_a_chain_it_is_the_value_that_is_off(name: str, wrong: str) -> None:
    """Where g2 should be ∂y/∂t4 and is not, it is g2, although a change of g3 would mend all that
    is handed in; where g2 is exactly that and g3 is off, it is g3."""
    text = chain(**{name: wrong})
    found = sought(text, variant=CHAIN)
    assert found.lines[0].name == name, [(line.name, line.kind) for line in found.lines]
    assert found.lines[0].kind != "role"


STRAIGHT = parse_variant("def v7():\n  r1 = w0 * w1 * x1\n  return -r1 * x2 / (x1 + x2)\n")
LINES = {
    "t1": "w0 * w1", "t2": "t1 * x1", "t3": "-t2", "t4": "t3 * x2", "t5": "x1 + x2", "y": "t4 / t5",
    "g4": "1 / t5", "g3": "g4 * x2", "g2": "-g3", "g1": "g2 * x1",
    "dw0": "g1 * w1", "dw1": "g1 * w0",
}  # fmt: skip
UNEVEN = {
    "what was made for a line and is not read": ("g2", "-g4"),
    "a minus in the middle of a product": ("g3", "g4 * -x2"),
    "a copy that is left of a product": ("g1", "g2"),
    "a copy that is left of a negation": ("g2", "g3"),
    "a square for a first power": ("t1", "w0 ** 2 * w1"),
}


@pytest.mark.parametrize("mistake", UNEVEN)
def test_of_lines_that_would_do_it_is_the_one_that_leaves_nothing_odd(mistake: str) -> None:
    name, wrong = UNEVEN[mistake]
    found = sought(written(LINES | {name: wrong}), variant=STRAIGHT)
    assert found.lines[0].name == name, [(line.name, line.kind) for line in found.lines]


SUMS = parse_variant("def v5():\n  r1 = w0 * x1 + w1 * x2\n  return (r1 + x1) * (r1 / x2)\n")


def test_of_lines_that_would_do_it_is_the_one_that_then_looks_like_the_others() -> None:
    """A sum of two names is how this pass writes sums; a quotient with a term behind it is not."""
    steps = {"a": "w0 * x1", "b": "w1 * x2", "r1": "a + b", "t1": "r1 + x1", "t2": "r1 / x2", "y": "t1 * t2",
             "p": "t1 / x2", "g": "p", "dw0": "g * x1", "dw1": "g * x2"}  # fmt: skip
    found = sought(written(steps), variant=SUMS)
    assert [line.name for line in found.lines] == ["g", "p"]
    assert [line.kind for line in found.lines] == ["term", "term"]


def test_a_helper_that_is_called_is_part_of_the_line_that_calls_it() -> None:
    """What is left of `-self.power(…)` without its minus is no bare name."""
    text = TEXT.replace("db * 3 * w1 ** 2", "-self.power(db, w1, 3)").replace(
        "    def my_",
        "    def power(self, g, a, n):\n        return g * n * a ** (n - 1)\n\n    def my_",
    )
    kinds = {line.site.line: line.kind for line in sought(text).all if line.site is not None}
    assert kinds[29] == "sign"


def test_a_number_that_a_helper_reads_in_two_places_is_no_slip_of_one() -> None:
    """With -3 for 3 the exponent would be another, too."""
    text = TEXT.replace("db * 3 * w1 ** 2", "-part").replace(
        "        dw1", "        part = self.power(db, w1, 3)\n        dw1"
    )
    text = text.replace(
        "    def my_",
        "    def power(self, g, a, n):\n        return g * n * a ** (n - 1)\n\n    def my_",
    )
    found = sought(text)
    assert "dw1" in [line.name for line in found.lines]
    assert "number" not in [line.kind for line in found.all]


WAVES = parse_variant("def v5():\n  r1 = sin(w0) + w1 * x1\n  return r1 * x2 + w0 * x1\n")


@pytest.mark.parametrize(("name", "wrong"), [("dw1", "x2"), ("dw0", "x1 + torch.cos(w0)")])
def test_a_factor_that_a_term_has_lost_is_found(name: str, wrong: str) -> None:
    steps = {"a": "torch.sin(w0)", "b": "w1 * x1", "r1": "a + b", "c": "r1 * x2", "d": "w0 * x1", "y": "c + d",
             "dw0": "x1 + x2 * torch.cos(w0)", "dw1": "x2 * x1"} | {name: wrong}  # fmt: skip
    found = sought(written(steps), variant=WAVES)
    assert [(line.name, line.kind) for line in found.lines] == [(name, "factor")]


POWERS = parse_variant("def v5():\n  r1 = tanh(w0)\n  return x1 * r1 ** -1 + w1 * x2\n")


def test_a_minus_that_belongs_to_a_number_is_no_slip() -> None:
    """As in the -1 that a power of -1 leaves in front."""
    steps = {"t": "torch.tanh(w0)", "q": "t ** -1", "m": "x1 * q", "y": "m + w1 * x2",
             "g": "x1 * -1 * t ** -2", "dw0": "g * (t ** 2 - 1)", "dw1": "x2 * 1"}  # fmt: skip
    found = sought(written(steps), variant=POWERS)
    assert [line.name for line in found.lines] == ["dw0", "g"]


def test_a_line_reads_only_what_stands_before_it() -> None:
    """A path that is lost where all is added up is no fault of a name that was given before."""
    text = TEXT.replace(
        "        dc = -r1", "        e = 1 / c\n        first = e\n        dc = -r1"
    )
    text = text.replace("dr1 = 1 / c + dc", "dr1 = first")
    first = sought(text).lines[0]
    assert (first.name, first.kind) == ("dr1", "term")
    scalars = Scalars(recorded(text), Text([text]), VARIANT.weights, VARIANT.inputs)
    candidates = [c for repair in search(scalars, VARIANT).repairs for c in repair.candidates]
    reads = [(max(nodes_in(c.edit.tree)), c.node) for c in candidates if c.edit is not None]
    assert reads
    assert all(last <= node for last, node in reads)


def test_a_number_that_is_an_exponent_too_is_no_slip_of_a_factor() -> None:
    text = TEXT.replace("db * 3 * w1 ** 2", "-power(db, w1, 3)").replace(
        "    def my_",
        "    def power(self, g, a, n):\n        return g * n * a ** (n - 1)\n\n    def my_",
    )
    found = sought(text.replace("-power(", "-self.power("))
    assert found.lines
    assert "number" not in [line.kind for line in found.all]


def test_what_is_wrong_on_one_side_of_a_kink_alone_is_found() -> None:
    """Half of the points have no root, and on most of the rest nothing shows."""
    variant = parse_variant(
        "def v6():\n  r1 = x1 ** 1.5 * x2 ** 0.5\n  return max(w0 * x1, w1 * x2) * r1 + w0\n"
    )
    steps = {"r1": "x1 ** 1.5 * torch.sqrt(x2)", "a": "w0 + x1", "b": "w1 * x2",
             "y": "torch.maximum(a, b) * r1 + w0", "dw0": "(a > b) * x1 * r1 + 1",
             "dw1": "(a <= b) * x2 * r1"}  # fmt: skip
    found = sought(written(steps), variant=variant)
    assert found.lines[0].name == "a", found


def test_the_chain_is_right() -> None:
    assert not sought(chain(), variant=CHAIN).lines


def test_a_number_over_a_second_name_is_one_division() -> None:
    """torch runs `1 / k` as a reciprocal, and that is not what `k` names."""
    found = sought(TEXT.replace("a = w0 * x1", "k = w0\n        q = 3 / k\n        a = q * x1 / 3"))
    told = {line.name: line.kind for line in found.lines}
    assert "k" not in told
    assert told["q"] == "operator"


def test_a_value_that_was_made_for_one_use_was_not_put_there_by_mistake() -> None:
    """Where another value would do in its place, the line that makes it is at fault."""
    text = TEXT.replace("db = -dr1", "m = -dr1\n        db = -(x2 * c)")
    found = sought(
        text.replace("dr1 * x1", "-m * x1").replace("db * 3 * w1 ** 2", "w1 ** 2 * 3 * db")
    )
    assert found.lines[0].name == "db"


def test_a_search_tells_the_same_each_time() -> None:
    text, _ = spoiled("dropped path")
    assert sought(text) == sought(text)


@pytest.mark.parametrize("work", [0, 10, 300, 1_000, 5_000])
@pytest.mark.parametrize("fault", ["sign", "forward statement"])
def test_a_search_stops_at_its_budget(work: int, fault: str) -> None:
    found = sought(spoiled(fault)[0], work=work)
    assert 0 <= found.work <= work


def test_russian_is_told_in_russian() -> None:
    use_language("ru")
    try:
        found = sought(spoiled("sign")[0])
    finally:
        use_language("en")
    assert found.lines[0].message.startswith("у `db` здесь неверный знак: должно быть ∂y/∂b")


@pytest.fixture(autouse=True)
def no_search_breaks_off(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    caplog.set_level(logging.DEBUG, "pytest_backprop.repair")
    yield
    if request.function is not test_a_recording_that_no_run_can_have_made_never_raises:
        assert not caplog.records


# -- recordings that no run can have made -------------------------------------------------------


def test_a_recording_that_no_run_can_have_made_never_raises(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text, _ = spoiled("sign")
    honest = recorded(text)
    first, *rest = honest.ops
    forged = [
        msgspec.structs.replace(honest, ops=()),
        msgspec.structs.replace(honest, values=honest.values[:3]),
        msgspec.structs.replace(honest, statements=()),
        msgspec.structs.replace(honest, ops=(*honest.ops, *honest.ops)),
        msgspec.structs.replace(honest, outputs={"value": Output(10**6)}),
        msgspec.structs.replace(honest, outputs={}),
        msgspec.structs.replace(
            honest, ops=(msgspec.structs.replace(first, args=(Ref(10**6), Ref(-5))), *rest)
        ),
        msgspec.structs.replace(
            honest, ops=tuple(msgspec.structs.replace(op, target="aten::mul.Tensor")
                              for op in honest.ops)),
        msgspec.structs.replace(
            honest, ops=tuple(msgspec.structs.replace(op, args=(float("nan"), 2.5)) for op in honest.ops)
        ),
    ]  # fmt: skip
    for recording in forged:
        assert isinstance(find(VARIANT, recording, [text]), FaultSearch)
    for units in ([], ["\0"], ["def"], ["x = (" * 300], [text.replace("dr1", "{0.__class__}")]):
        assert isinstance(find(VARIANT, honest, units), FaultSearch)
    assert caplog.records


@pytest.mark.parametrize("number", ["2", "2.0"])
def test_a_number_in_a_tensor_of_its_own_is_named_where_it_stands(number: str) -> None:
    """Whole numbers are no nodes."""
    head, _, tail = TEXT.partition("        dw1 = db * 3 *")
    text = f"{head}        k = torch.tensor({number})\n        dw1 = db * k *{tail}"
    first = sought(text).lines[0]
    assert (first.name, first.kind) == ("k", "number")
