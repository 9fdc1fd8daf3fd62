"""What a task may say of its parameters: dimensions and their sizes, plain values, ranges of numbers, further
functions; and what is refused, and how."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest
import torch
from hypothesis import given, settings, strategies as st

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import AUTOGRAD_FUNCTION, BUILT_IN
from pytest_backprop.exercises.by_hand.forms import LAYER
from pytest_backprop.exercises.functions.dimensions import read_dimensions, shape_of
from pytest_backprop.exercises.functions.scenarios import generic_points, points, rounds
from pytest_backprop.exercises.functions.typed_task import MatrixVariant, read_typed_task
from pytest_backprop.grading.tasks import Tasks
from pytest_backprop.judging.case import Tolerance
from pytest_backprop.model import places

TOLERANCE = Tolerance(5e-5, 1e-7)


def layer(folder: Path, text: str, kind: str = "layer") -> MatrixVariant:
    calls = 'CALLS = "Layer"\n' if kind == "layer" else ""
    (folder / "v1.py").write_text(f'EXERCISE = "{kind}"\n{calls}{text}', encoding="utf-8")
    variant = BUILT_IN[kind].load_bank(folder).get("v1")
    assert isinstance(variant, MatrixVariant)
    return variant


def shapes(variant: MatrixVariant, draw: int) -> dict[str, tuple[int, ...]]:
    return {leaf.name: leaf.shape for leaf in variant.task.at(draw).leaves}


# -- dimensions ------------------------------------------------------------------------------------

TERMS = st.sampled_from(["n", "m", "2", "3"])
EXPRESSIONS = st.builds(
    "".join,
    st.tuples(TERMS, st.sampled_from(["+", "*"]), TERMS, st.sampled_from(["+", "*"]), TERMS),
)


@given(EXPRESSIONS, st.integers(1, 9), st.integers(1, 9))
def test_an_expression_is_what_python_makes_of_it(text: str, n: int, m: int) -> None:
    (dim,) = read_dimensions("x", text, "v1.py")
    assert shape_of([dim], {"n": n, "m": m}) == (eval(text, {}, {"n": n, "m": m}),)


def test_dimensions_of_one_name_go_together(tmp_path: Path) -> None:
    text = 'def v1(x: Float[Tensor, "n 2*n"], w: Float[Tensor, "n+1 n"], u: Float[Tensor, "_"]):\n'
    variant = layer(tmp_path, text + "    return x.sum() * w.sum() * u.sum()\n")
    free = set()
    for draw in range(8):
        own = shapes(variant, draw)
        n = own["x"][0]
        assert (own["x"], own["w"]) == ((n, 2 * n), (n + 1, n))
        assert f"u.shape[0]={own['u'][0]}" in variant.task.at(draw).sizes
        free.add(own["u"][0])
    assert len(free) > 2


def test_a_star_is_none_one_and_two_dimensions(tmp_path: Path) -> None:
    text = 'def v1(x: Float[Tensor, "*batch n d"], w: Float[Tensor, "d"], y: Float[Tensor, "*batch _"]):\n'
    variant = layer(tmp_path, text + "    return (x @ w).sum() * y.sum()\n")
    batches = [shapes(variant, draw)["x"][:-2] for draw in range(3)]
    assert sorted(map(len, batches)) == [0, 1, 2]
    for draw, batch in enumerate(batches):
        assert shapes(variant, draw)["y"][:-1] == batch
        assert f"batch={batch}" in variant.task.at(draw).sizes


# -- SIZES -----------------------------------------------------------------------------------------

SAID = """
SIZES = {{"n": {n}, "h": (3, 6), "w": (3, 6)}}
def v1(x: Float[Tensor, "n c h w"]):
    return x.exp()
"""


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        ("4", {4}),
        ("(1, 3)", {1, 2, 3}),
        ("(5, 5)", {5}),
        ("(2, 4, 8)", {2, 4, 8}),
        ("[7, 3, 5]", {3, 5, 7}),
        ('"8*"', {8, 16, 24, 32}),
    ],
)
def test_sizes_are_those_that_are_said(said: str, allowed: set[int], tmp_path: Path) -> None:
    variant = layer(tmp_path, SAID.format(n=said))
    drawn = [shapes(variant, draw)["x"] for draw in range(24)]
    assert {shape[0] for shape in drawn} == allowed
    assert {shape[2] for shape in drawn} == {shape[3] for shape in drawn} == {3, 4, 5, 6}
    assert drawn[0][2] != drawn[0][3]
    assert drawn[1] == (min(allowed), 1, 3, 3)  # the least of all
    assert sum(shape[2] != shape[3] for shape in drawn) > 16


@pytest.mark.parametrize("number", range(2, 9))
@pytest.mark.parametrize(
    ("said", "dims"),
    [
        ("", "n {number}"),
        ("", "n d {number}*n"),
        ("", "n k d+k"),
        ('SIZES = {"n": (9, 16), "m": 17}\n', "n {number} d n+d m"),
        ('SIZES = {"n": 9}\n', "n {number} d n+d"),
    ],
)
def test_at_the_first_draw_no_two_dimensions_are_equal(
    number: int, said: str, dims: str, tmp_path: Path
) -> None:
    dims = dims.format(number=number)
    text = f'{said}def v1(x: Float[Tensor, "{dims}"]):\n    return x.exp()\n'
    shape = shapes(layer(tmp_path, text), 0)["x"]
    assert len({*shape}) == len(shape)


def test_runs_beside_the_draws_are_small(tmp_path: Path) -> None:
    text = 'SIZES = {"n": (1, 16, 64)}\ndef v1(x: Float[Tensor, "n d"]):\n    return x.exp()\n'
    variant = layer(tmp_path, text, "autograd-function")
    assert variant.small.leaves[0].shape[0] == 16
    assert variant.small.sizes in variant.small.task.at(0).sizes


# -- VALUES ----------------------------------------------------------------------------------------

FLAGS = """
VALUES = {{"flag": (False, True), "mode": {modes}, "param": ({{"stride": 1}}, {{"stride": 2}})}}
def v1(x: Float[Tensor, "n d"], flag: bool, mode: int | None, param: dict):
    return x * (1 + flag) * (mode or 1) * param["stride"]
"""


def values_at(variant: MatrixVariant, draw: int) -> tuple[str, ...]:
    return tuple(leaf.literal for leaf in variant.task.at(draw).leaves if leaf.literal)


def test_of_few_values_each_is_tried_with_each(tmp_path: Path) -> None:
    variant = layer(tmp_path, FLAGS.format(modes="(None, 3)"))
    assert variant.draw_count == 9
    # the second draw, of sizes that are all 1, is at the values of the first
    tried = [values_at(variant, draw) for draw in range(9) if draw != 1]
    wanted = itertools.product(("False", "True"), ("None", "3"), ("{'stride': 1}", "{'stride': 2}"))
    assert sorted(tried) == sorted(wanted)
    assert variant.task.at(8).sizes.startswith("flag=True, mode=3, param={'stride': 2}, d=")


def test_of_many_values_each_is_tried_in_changing_company(tmp_path: Path) -> None:
    variant = layer(tmp_path, FLAGS.format(modes="(1, 2, 3, 4, 5, 6, 7)"))
    assert variant.draw_count == 8
    tried = [values_at(variant, draw) for draw in range(1, 8)]
    assert {mode for _, mode, _ in tried} == {*"1234567"}
    more = {values_at(variant, draw)[::2] for draw in range(1, 24)}
    assert len(more) == 4


@given(st.lists(st.integers(), min_size=1, max_size=9, unique=True), st.integers(1, 5))
def test_each_round_has_all_choices_once(choices: list[int], turns: int) -> None:
    taken = [*itertools.islice(rounds("a key", choices), turns * len(choices))]
    for at in range(0, len(taken), len(choices)):
        assert sorted(taken[at : at + len(choices)]) == sorted(choices)


def test_every_draw_that_is_judged_has_a_value_and_each_value_a_draw(tmp_path: Path) -> None:
    variant = layer(tmp_path, FLAGS.format(modes="(1, 2)"))
    draws, _ = Tasks(LAYER, 0, 256, TOLERANCE).right(variant)
    assert {
        leaf.literal for draw in draws for leaf in draw.variant.leaves if leaf.name == "mode"
    } == {"1", "2"}


def test_a_dict_is_made_anew_each_time(tmp_path: Path) -> None:
    leaf = layer(tmp_path, FLAGS.format(modes="(1,)")).leaves[3]
    leaf.plain["stride"] = 5
    assert leaf.plain == {"stride": 1}


def test_none_alone_needs_no_values(tmp_path: Path) -> None:
    text = 'def v1(x: Float[Tensor, "n"], mask: None):\n    return x.exp() if mask is None else x\n'
    assert layer(tmp_path, text).leaves[1].literal == "None"


def test_a_number_of_which_nothing_is_said_is_drawn(tmp_path: Path) -> None:
    text = 'def v1(x: Float[Tensor, "n"], a: float):\n    return x * a\n'
    variant = layer(tmp_path, text)
    assert len({variant.task.at(draw).leaves[1].literal for draw in range(20)}) == 5
    assert "a=" not in variant.sizes


def test_matrices_of_the_homework_take_plain_values() -> None:
    text = (
        'VALUES = {"k": (1, 2)}\ndef v1(x: Float[Tensor, "n"], k: int, *, w: Float[Tensor, "n"]):\n'
    )
    task = read_typed_task(text + "    return (x * w).sum() ** k\n", "v1.py").task
    assert [leaf.kind for leaf in task.leaves] == ["input", "input", "weight"]
    assert task.at(0).sizes.startswith("k=1, n=")


def test_a_mask_is_of_truths(tmp_path: Path) -> None:
    text = 'def v1(x: Float[Tensor, "n t"], mask: Bool[Tensor, "n t"]):\n    return x.masked_fill(mask, 0)\n'
    (x, mask, _) = layer(tmp_path, text).leaves
    assert (mask.dtype, mask.shape, set(mask.integers or ())) == ("bool", x.shape, {0, 1})


# -- RANGES, DTYPE ---------------------------------------------------------------------------------

RANGED = """
RANGES = {"w": ((-0.01, 0.01), (2, 3), (-5, -4)), "u": (0.5, 1)}
def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d"], u: Float[Tensor, "d"]):
    return x @ w + u.sum()
"""


@settings(max_examples=20)
@given(st.integers(0, 2**20), st.integers(1, 40), st.booleans())
def test_numbers_are_in_one_range_at_a_point_and_in_all_in_turn(
    seed: int, count: int, generic: bool
) -> None:
    variant = MADE[0]
    own = (generic_points if generic else points)(variant, seed, count)
    at = places(variant.leaves)
    taken = []
    for row in own.rows:
        w = [row[place] for place in at["w"]]
        inside = [all(low - 1e-6 <= n <= high + 1e-6 for n in w) for low, high in INTERVALS]
        assert sum(inside) == 1
        taken.append(inside.index(True))
        assert all(0.5 <= row[place] <= 1 for place in at["u"])
    for start in range(0, count - 2, 3):
        assert sorted(taken[start : start + 3]) == [0, 1, 2]
    fewer = (generic_points if generic else points)(variant, seed, count // 2)
    assert own.rows[: count // 2] == fewer.rows


INTERVALS = ((-0.01, 0.01), (2, 3), (-5, -4))
MADE: list[MatrixVariant] = []


@pytest.fixture(autouse=True, scope="module")
def ranged(tmp_path_factory: pytest.TempPathFactory) -> None:
    MADE.append(layer(tmp_path_factory.mktemp("ranged"), RANGED))


def test_in_a_float64_course_every_float_tensor_is(tmp_path: Path) -> None:
    text = (
        'DTYPE = "float64"\ndef v1(x: Float[Tensor, "n"], i: Int[Tensor, "n"]):\n    return x * i\n'
    )
    variant = layer(tmp_path, 'BELOW = {"i": 5}\n' + text)
    assert [leaf.dtype for leaf in variant.leaves if leaf.is_drawn] == ["float64", "float64"]


# -- ACCEPTS ---------------------------------------------------------------------------------------

LOSS = """
def v1(x: Float[Tensor, "n"], reg: float):
    return x.exp().sum() + reg * (x * x).sum()


def v1_half(x, reg: float):
    return x.exp().sum() + reg / 2 * (x * x).sum()
"""


def test_an_alternative_has_the_draws_of_the_task(tmp_path: Path) -> None:
    variant = layer(tmp_path, 'ACCEPTS = "v1_half"\n' + LOSS)
    first, second = Tasks(LAYER, 0, 256, TOLERANCE).accepted(variant).items()
    assert (first[0], second[0]) == ("v1", "v1_half")
    for draw in range(4):
        mine, other = (of.task.at(draw) for of in (first[1], second[1]))  # type: ignore[attr-defined]
        assert (mine.leaves, mine.sizes) == (other.leaves, other.sizes)
    x, half = torch.ones(2, dtype=torch.float64), second[1].task.function  # type: ignore[attr-defined]
    assert half(x, 0.5) == variant.task.function(x, 0.25)


# -- what is refused -------------------------------------------------------------------------------

ONE = 'def v1(x: Float[Tensor, "n d"], p: {type}):\n    return x * (1 if p else 2)\n'
PLAIN = 'def v1(x: Float[Tensor, "{dims}"]):\n    return x.exp()\n'
REFUSED = {
    "a plain value without values": (ONE.format(type="bool"), "p: bool has no values to try", "VALUES = "),
    "values of another type": ('VALUES = {"p": (True, 1)}\n' + ONE.format(type="bool"),
                               "VALUES: 1 of p is no bool", "int | None"),
    "values of nothing": ('VALUES = {"y": (True,)}\n' + ONE.format(type="bool"), "VALUES has 'y'", "y: bool"),
    "one value": ('VALUES = {"p": True}\n' + ONE.format(type="bool"), "VALUES: p is True", "(True,)"),
    "no values": ('VALUES = {"p": ()}\n' + ONE.format(type="bool"), r"VALUES: p is \(\)", "1 to 32"),
    "values that are calculated": ("VALUES = dict(p=(True,))\n" + ONE.format(type="bool"),
                                   r"VALUES = dict\(p=\(True,\)\) is no dict", "VALUES = "),
    "infinity": ('VALUES = {"p": (1e999,)}\n' + ONE.format(type="float"), "inf of p is no float", "type"),
    "an unknown annotation": (ONE.format(type="set"), "v1.py:[0-9]: p: set", "dict"),
    "dimensions left open": (PLAIN.format(dims="... d"), r"x: there is no dimension '\.\.\.'", "[*]batch"),
    "a broadcast dimension": (PLAIN.format(dims="#n d"), "there is no dimension '#n'", "[*]batch"),
    "a quotient": (PLAIN.format(dims="n/2"), "there is no dimension 'n/2'", "2[*]n"),
    "a power": (PLAIN.format(dims="n**9"), r"there is no dimension 'n\*\*9'", "2[*]n"),
    "two stars": (PLAIN.format(dims="*a *b"), "two dimensions with a star", "one open"),
    "a size of no dimension": ('SIZES = {"k": 3}\n' + PLAIN.format(dims="n"), "SIZES has 'k'", "dimensions are n"),
    "a size of 0": ('SIZES = {"n": 0}\n' + PLAIN.format(dims="n"), "SIZES: n is 0", "range"),
    "a range upside down": ('SIZES = {"n": (5, 3)}\n' + PLAIN.format(dims="n"), r"SIZES: n is \(5, 3\)", "range"),
    "a size that is no number": ('SIZES = {"n": "8"}\n' + PLAIN.format(dims="n"), "SIZES: n is '8'", '"8[*]"'),
    "a dimension that is nothing": ('SIZES = {"n": (1, 3)}\n' + PLAIN.format(dims="n-3"),
                                    "v1 fails at n=[123]: ValueError: the dimension n-3 is", "SIZES"),
    "a range of no tensor": ('RANGES = {"y": (0, 1)}\n' + PLAIN.format(dims="n"), "RANGES has 'y'", "are x"),
    "a range without an end": ('RANGES = {"x": (1, 0)}\n' + PLAIN.format(dims="n"), r"RANGES: x is \(1, 0\)", "lower"),
    "a dtype": ('DTYPE = "float16"\n' + PLAIN.format(dims="n"), "DTYPE = 'float16'", "float64"),
    "a function that is not there": ('ACCEPTS = ("v1_mean",)\n' + LOSS, "no further function 'v1_mean'", "beside"),
    "the function itself": ('ACCEPTS = ("v1",)\n' + LOSS, "no further function 'v1'", "beside"),
    "a function of others": ('ACCEPTS = "v1_half"\n' + LOSS.replace("half(x, reg", "half(reg, x"),
                             "v1_half has other parameters than v1", "same order"),
    "a function that fails": ('ACCEPTS = "v1_half"\n' + LOSS.replace("reg / 2", "reg / two"),
                              "v1_half fails at n=.: NameError", "SIZES"),
    "tensors of too many numbers": ('SIZES = {"n": 300}\n' + PLAIN.format(dims="n n"), "has 90000 numbers", "at most"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_said_badly_is_refused_with_the_way_out(case: str, tmp_path: Path) -> None:
    text, message, way_out = REFUSED[case]
    with pytest.raises(UsageProblem, match=message) as caught:
        layer(tmp_path, text)
    assert "v1.py" in str(caught.value)
    assert caught.match(way_out)


def test_a_draw_at_which_the_task_raises_is_named(tmp_path: Path) -> None:
    text = """
VALUES = {"pad": (1, 0)}
SIZES = {"n": 2}
def v1(x: Float[Tensor, "n n"], pad: int):
    return F.max_pool2d(F.pad(x[None], (pad,) * 4), 3)
"""
    variant = layer(tmp_path, text)
    with pytest.raises(UsageProblem, match="v1 fails at pad=0, n=2: RuntimeError"):
        Tasks(LAYER, 0, 256, TOLERANCE).right(variant)


UNUSED = {"SIZES": '{"n": 3}', "RANGES": '{"x": (0, 1)}', "ACCEPTS": '"loss"', "DTYPE": '"float64"'}


@pytest.mark.parametrize("name", UNUSED)
@pytest.mark.parametrize("kind", ["saved-tensor-hooks", "accumulation"])
def test_what_an_exercise_has_no_use_for_is_refused(name: str, kind: str, tmp_path: Path) -> None:
    text = f'{name} = {UNUSED[name]}\ndef v1(x: Float[Tensor, "n"], *, w: Float[Tensor, "n"]):\n    return x * w\n'
    text += "def loss(prediction, target):\n    return (prediction - target).mean()\n"
    with pytest.raises(UsageProblem, match=f"{name} says nothing to this exercise"):
        layer(tmp_path, text, kind)


def test_an_empty_batch_is_tried_where_a_task_says_other_sizes(tmp_path: Path) -> None:
    text = 'SIZES = {"h": (3, 5)}\ndef v1(x: Float[Tensor, "n c h h"]):\n    return F.avg_pool2d(x, 3)\n'
    runs = AUTOGRAD_FUNCTION.references(layer(tmp_path, text, "autograd-function"))
    assert runs[-1].where == "on an empty batch"
    assert runs[-1].scenario.leaves[0].shape[0] == 0
    own = layer(tmp_path, text.replace('{"h"', '{"n": (2, 3), "h"'), "autograd-function")
    assert all(run.where != "on an empty batch" for run in AUTOGRAD_FUNCTION.references(own))


def test_sizes_are_the_same_twice() -> None:
    variant = MADE[0]
    for draw in range(6):
        one, other = (variant.task.sizes_at(draw, Random(f"{draw}")) for _ in "12")
        assert one == other


def test_no_value_is_tried_at_sizes_of_one_alone(tmp_path: Path) -> None:
    text = """
VALUES = {"k": (1, 2, 3, 4)}
SIZES = {"n": (1, 4)}
def v1(x: Float[Tensor, "n d"], k: int):
    return x.exp() * k
"""
    variant = layer(tmp_path, text)
    for draw in range(20):
        assert (min(shapes(variant, draw)["x"]) == 1) == (draw == 1)
