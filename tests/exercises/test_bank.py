"""Reading variants: what is accepted, what is refused and how, and that nothing is executed."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import time
import weakref
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given, settings, strategies as st

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import (
    FLOAT_FUNCTIONS,
    defined_variant,
    load_bank,
    parse_variant,
    variant_token,
)
from pytest_backprop_authoring.variants.examination import is_rational, same_function

ROOT = Path(__file__).resolve().parents[2]

V8 = """\
def v8():  # Student A
  r1 = x3 * (w0 ** 2 + w1 ** 2)
  r2 = (x3 + w0 / w1) * (3 * w0 + x3 * w1)
  r3 = x3 - (w1 - x2) ** 2 / w0
  return r1 + r2 + r3 / (x1 - x2 - r1)
"""


def of(expression: str) -> str:
    return f"def v1():\n  return {expression}\n"


# -- reading and evaluating ---------------------------------------------------------------------


def test_the_assignments_variant_is_read_as_it_stands() -> None:
    variant = parse_variant("import torch\n\n" + V8 + "\nprint(1 / 0)\n", path="v8.py")
    assert variant.name == "v8"
    assert variant.weights == ("w0", "w1")
    assert variant.inputs == ("x1", "x2", "x3")
    assert variant.source == V8.rstrip("\n")
    assert variant.path == "v8.py"
    assert is_rational(variant)


def test_the_assignments_variant_by_hand() -> None:
    # w = (1, 2), x = (3, 1, 1): r1 = 5, r2 = 3/2 * 5, r3 = 0, so y = 5 + 15/2 + 0 / (2 - 5).
    point = {"w0": 1, "w1": 2, "x1": 3, "x2": 1, "x3": 1}
    exact = {name: Fraction(value) for name, value in point.items()}
    assert parse_variant(V8).evaluate(exact) == Fraction(25, 2)


def test_names_sort_by_number_and_any_count_goes() -> None:
    variant = parse_variant(of("x10 * w2 + x9 * w10 + w0 / x0"))
    assert variant.weights == ("w0", "w2", "w10")
    assert variant.inputs == ("x0", "x9", "x10")


def test_the_name_is_canonical() -> None:
    assert parse_variant("def v08():\n  return w0 * x1\n").name == "v8"


def test_one_function_is_the_variant() -> None:
    text = "def f():\n  return w0 * x1\ndef v2():\n  return w0 + x1\n"
    assert parse_variant(text).evaluate({"w0": 2, "x1": 3}) == 5
    with pytest.raises(UsageProblem, match=r"exactly one .* has v1 on line 1, v2 on line 3"):
        parse_variant(text.replace("def f", "def v1"))


def test_assignments_in_every_accepted_form() -> None:
    text = (
        'def v1():\n  """Doc."""\n  a = b = w0 + x1\n  a *= 2\n  c: float = -b\n  a = a - c\n'
        "  return +a\n"
    )
    assert parse_variant(text).evaluate({"w0": 1, "x1": 2}) == 9


def test_an_unused_local_is_not_computed() -> None:
    # The course may plant a node that the result does not need.
    variant = parse_variant("def v1():\n  r1 = w0 / x1\n  r2 = w0 * x1\n  return r2\n")
    assert variant.evaluate({"w0": 3, "x1": 0}) == 0


@pytest.mark.parametrize(
    ("expression", "functions", "expected"),
    [
        ("torch.exp(w0) * x1", {"exp"}, math.exp(0.5) * 2),
        ("math.log(w0 + x1)", {"log"}, math.log(2.5)),
        ("(w0 * x1).sqrt()", {"sqrt"}, 1.0),
        ("F.relu(-w0) + x1", {"relu"}, 2.0),
        ("torch.nn.functional.relu(w0) + x1", {"relu"}, 2.5),
        ("torch.maximum(w0, x1)", {"max"}, 2.0),
        ("torch.minimum(w0, x1)", {"min"}, 0.5),
        ("max(w0, x1) - min(w0, x1)", {"max", "min"}, 1.5),
        ("sin(w0) + cos(x1)", {"sin", "cos"}, math.sin(0.5) + math.cos(2)),
        ("tan(w0) * x1.tanh()", {"tan", "tanh"}, math.tan(0.5) * math.tanh(2)),
        ("sigmoid(w0 - x1)", {"sigmoid"}, 1 / (1 + math.exp(1.5))),
        ("abs(w0 - x1)", {"abs"}, 1.5),
        ("torch.pow(w0, 2) * x1", set(), 0.5),
        ("torch.square(x1) * w0", set(), 2.0),
        ("torch.reciprocal(x1) * w0", set(), 0.25),
        ("x1.reciprocal() * w0.pow(2)", set(), 0.125),
        ("x1 ** w0", set(), 2**0.5),
        ("w0 * x1 ** (1 / 2)", set(), 0.5 * 2**0.5),
        ("w0 * x1 ** -2", set(), 0.125),
    ],
)
def test_calls_in_their_spellings(expression: str, functions: set[str], expected: float) -> None:
    variant = parse_variant(of(expression))
    assert {step.name for step in variant.program if step.code == "call"} == functions
    value = variant.evaluate({"w0": 0.5, "x1": 2.0}, FLOAT_FUNCTIONS)
    assert value == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("expression", "rational"),
    [
        ("w0 ** 2 / x1", True),
        ("w0 ** 2.0 - x1 ** -3", True),
        ("w0 ** 0.5 * x1", False),
        ("w0 ** x1", False),
        ("torch.square(w0) * x1", True),
        ("abs(w0) * x1", False),
    ],
)
def test_is_rational(expression: str, rational: bool) -> None:
    assert is_rational(parse_variant(of(expression))) is rational


def test_constants_are_lifted_when_asked_and_exponents_never() -> None:
    variant = parse_variant(of("1 / 2 * w0 + 0.25 * x1 ** 2.0"))
    point = {"w0": Fraction(1, 3), "x1": Fraction(1, 5)}
    value = variant.evaluate(point, constant=Fraction)
    assert value == Fraction(1, 6) + Fraction(1, 100)
    assert isinstance(value, Fraction)


def test_a_missing_name_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="x1"):
        parse_variant(of("w0 * x1")).evaluate({"w0": 1.0})
    with pytest.raises(KeyError, match="exp"):
        parse_variant(of("exp(w0) * x1")).evaluate({"w0": 1.0, "x1": 2.0})


class Watched:
    """A number that counts how many of its kind are alive."""

    alive: ClassVar[weakref.WeakSet[Watched]] = weakref.WeakSet()
    peak: ClassVar[int] = 0

    def __init__(self) -> None:
        Watched.alive.add(self)
        Watched.peak = max(Watched.peak, len(Watched.alive))

    def __add__(self, other: object) -> Watched:
        return Watched()

    __mul__ = __pow__ = __add__


def test_values_are_let_go_after_their_last_use() -> None:
    gc.collect()
    chain = "".join(f"  r{i} = r{i - 1} * x1 + w0\n" for i in range(1, 30))
    variant = parse_variant(f"def v1():\n  r0 = w0 * x1\n{chain}  return r29\n")
    variant.evaluate({"w0": Watched(), "x1": Watched()})
    assert Watched.peak <= 4  # two leaves, the value in hand and the next


NAMES = ("w0", "w1", "x1", "x2")


@st.composite
def expressions(draw: st.DrawFn, depth: int = 4) -> str:
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from([*NAMES, *NAMES, "2", "3"]))
    kind = draw(st.sampled_from(["+", "-", "*", "/", "neg", "**"]))
    left = draw(expressions(depth=depth - 1))
    if kind == "neg":
        return f"(-{left})"
    if kind == "**":
        return f"({left}) ** {draw(st.integers(1, 3))}"
    return f"({left} {kind} {draw(expressions(depth=depth - 1))})"


@settings(max_examples=150)
@given(expressions(), st.lists(st.integers(1, 97), min_size=4, max_size=4))
def test_evaluate_agrees_with_python(expression: str, numbers: list[int]) -> None:
    text = of(f"w0 + w1 + x1 + x2 + {expression}")
    point = {name: Fraction(n, 13) for name, n in zip(NAMES, numbers, strict=True)}
    try:
        expected = eval(text.split("return")[1], {}, point)  # our own text
    except ZeroDivisionError:
        return
    try:
        variant = parse_variant(text)
    except UsageProblem as problem:
        # Constant folding by Python's own rules; a literal division such as 2 / (3 - 3).
        if "division by zero" in problem.message or "cannot be computed" in problem.message:
            return
        raise
    value = variant.evaluate(point, constant=Fraction)
    assert value == pytest.approx(expected, rel=1e-12)


# -- refusing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("def v1():\n  if w0:\n    return x1\n  return w0", 2, "has no place"),
        ("def v1():\n  for i in x1:\n    pass\n  return w0", 2, "has no place"),
        ("def v1():\n  while w0:\n    pass\n  return x1", 2, "has no place"),
        (of("w0 if x1 else w0"), 2, "IfExp has no place"),
        (of("(w0 > x1) * w0"), 2, "Compare has no place"),
        (of("w0 and x1"), 2, "has no place"),
        (of("(lambda: w0)() * x1"), 2, "Lambda"),
        (of("w0.grad * x1"), 2, "Attribute"),
        (of("w[0] * x1"), 2, "Subscript"),
        (of("w0 @ x1"), 2, "MatMult"),
        (of("w0 // x1"), 2, "FloorDiv"),
        (of("w0 % x1"), 2, "Mod"),
        (of("not w0"), 2, "Not|UnaryOp"),
        (of("print(w0) + x1"), 2, "unknown function 'print'"),
        (of("__import__('os').system('true') + w0 * x1"), 2, "unknown function 'system'"),
        (of("exp(w0, x1)"), 2, "takes 1 plain argument"),
        (of("max(w0)"), 2, "takes 2 plain arguments"),
        (of("max(*w0, x1)"), 2, "plain arguments"),
        (of("torch.exp(input=w0) * x1"), 2, "plain argument"),
        (of("w0 * x1 + a"), 2, "'a' is neither"),
        (of("w0 * x01"), 2, "'x01' is neither"),
        ("def v1():\n  a = w0 * r1\n  r1 = x1\n  return a", 2, "'r1' is neither"),
        (of("w0 * 2"), 1, "no input is used"),
        (of("x1 * 2"), 1, "no weight is used"),
        ("def v1():\n  r1 = w1 * x1\n  return w0 * x1", 2, "w1 is mentioned"),
        (of("w0 * x1 / 0"), 2, "division by zero"),
        (of("w0 * x1 / (2 - 2.0)"), 2, "division by zero"),
        (of("w0 * x1 + 0 ** -1"), 2, "cannot be computed"),
        (of("w0 * x1 + math.log(0)"), 2, "cannot be computed"),
        (of("w0 * x1 + (-1) ** 0.5"), 2, "no number between"),
        (of("w0 * x1 ** 9 ** 9 ** 9"), 2, "exponent"),
        (of("w0 * x1 ** 65"), 2, "exponent 65"),
        (of("w0 * x1 * 1e999"), 2, "no number between"),
        (of("w0 * x1 * 1e-300"), 2, "no number between"),
        (of("w0 * x1 * 10000000000000000000000"), 2, "no number between"),
        (of("w0 * x1 * True"), 2, "no number between"),
        (of("w0 * x1 * -True"), 2, "no number between"),
        (of("w0 * x1 * 2j"), 2, "no number between"),
        (of("w0 * x1 * 'a'"), 2, "no number between"),
        ("def v1():\n  w0 = x1\n  return w0", 2, "assigns to w0"),
        ("def v1():\n  a, b = w0, x1\n  return a * b", 2, r"assigns to \(a, b\)"),
        ("def v1():\n  (a := w0)\n  return a * x1", 2, "Expr"),
        ("def v1():\n  import os\n  return w0 * x1", 2, "Import"),
        ("def v1():\n  a: float\n  return w0 * x1", 2, "AnnAssign"),
        ("def v1():\n  return w0 * x1\n  a = 1", 3, "does not end with a return"),
        ("def v1():\n  return", 2, "does not end with a return"),
        ("def v1():\n  a = w0 * x1", 2, "does not end with a return"),
        ("def v1(w0, x1):\n  return w0 * x1", 1, "takes arguments"),
        ("def v1(*, a=print(1)):\n  return w0 * x1", 1, "takes arguments"),
        ("@print\ndef v1():\n  return w0 * x1", 2, "decorated"),
        ("def v1():\n  return (w0 *", 2, "not Python"),
    ],
)
def test_what_is_refused_names_the_line_and_the_way_out(text: str, line: int, part: str) -> None:
    with pytest.raises(UsageProblem, match=part) as caught:
        parse_variant(text, path="bank/v1.py")
    assert caught.value.message.startswith(f"bank/v1.py:{line}:")
    assert text.split("\n")[line - 1].strip()[:20] in caught.value.message
    assert caught.value.way_out


@pytest.mark.parametrize(
    "text",
    [
        "",
        "def f():\n  return w0 * x1\n",
        "async def v1():\n  return w0 * x1\n",
        "class A:\n  def v1():\n    return w0 * x1\n",
        of("w0 * x1 + \0"),
        of("w0 * x1 + \ud800"),
        of("(" * 5_000 + "w0" + ")" * 5_000),
        of("-" * 15_000 + "w0"),
        of("+".join(["w0"] * 5_000)),
        of("x1" + ".a" * 5_000),
        of("x1" + ".exp()" * 2_000),
        of("w0 * x1 * " + "9" * 10_000),
        "def v1():\n  r = 2\n" + "  r = r ** 64\n" * 40 + "  return r * w0 * x1\n",
    ],
    ids=lambda text: repr(text[:24]),
)
def test_hostile_texts_are_refused_quickly(text: str) -> None:
    start = time.thread_time()
    with pytest.raises(UsageProblem):
        parse_variant(text)
    assert time.thread_time() - start < 2


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            ["w0", "x1", "r1", " ", "\n  ", "=", "+", "**", "/", "(", ")", "2", "return ", "0", ".",
             "if ", ":", "exp", "-", ",", "[", "'", "# ", "lambda ", "\t", "é", "1e9"]
        ),
        max_size=25,
    )
)  # fmt: skip
def test_any_text_is_a_variant_or_a_usage_problem(tokens: list[str]) -> None:
    try:
        variant = parse_variant("def v1():\n  " + "".join(tokens))
    except UsageProblem:
        return
    assert variant.weights
    assert variant.inputs


def test_nothing_of_the_text_is_executed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    before = f"open({str(mark)!r}, 'w')\n"
    with pytest.raises(UsageProblem):
        parse_variant(f"{before}def v1(a=open({str(mark)!r}, 'w')):\n  return w0 * x1\n")
    text = f"{before}def v2():\n  r: open({str(mark)!r}, 'w') = w0\n  return r * x1\n"
    assert parse_variant(text).evaluate({"w0": 2, "x1": 3}) == 6
    assert not mark.exists()


@pytest.mark.parametrize("line", ["r = r * r", "r = r ** 64", "r = r + 1"])
def test_functions_that_grow_are_compared_quickly(line: str) -> None:
    text = "def v1():\n  r = w0 * x1\n" + f"  {line}\n" * 1_000 + "  return r\n"
    variant, other = parse_variant(text), parse_variant(text.replace("w0 * x1", "x1 * w0"))
    start = time.thread_time()
    same_function(variant, other)
    assert time.thread_time() - start < 5


def test_a_message_shows_no_control_characters() -> None:
    with pytest.raises(UsageProblem) as caught:
        parse_variant(of("w0 * x1 + '\x1b[31m'"))
    assert "\x1b" not in str(caught.value)


# -- the bank -----------------------------------------------------------------------------------


def write(folder: Path, **files: str) -> Path:
    for stem, text in files.items():
        (folder / f"{stem}.py").write_text(text, encoding="utf-8")
    return folder


def test_a_bank_by_name(tmp_path: Path) -> None:
    texts = {f"v{n}": f"def v{n}():\n  return w0 * x1 + {n}\n" for n in (10, 2, 1)}
    bank = load_bank(write(tmp_path, **texts, other="1 / 0"))
    assert bank.names == ("v1", "v2", "v10")
    assert list(bank) == ["v1", "v2", "v10"]
    assert [variant.name for variant in bank.values()] == ["v1", "v2", "v10"]
    assert len(bank) == 3
    assert "v2" in bank
    assert "v3" not in bank
    for asked in ("v2", "V2", "v02", " 2 "):
        assert bank.get(asked).name == "v2"
    assert bank.get("v2").path == str(tmp_path / "v2.py")


def test_an_unknown_variant_names_the_near_ones(tmp_path: Path) -> None:
    texts = {f"v{n}": f"def v{n}():\n  return w0 * x1 + {n}\n" for n in (1, 8, 18)}
    bank = load_bank(write(tmp_path, **texts))
    with pytest.raises(UsageProblem, match="'v81'") as caught:
        bank.get("v81")
    assert "v8" in caught.value.way_out
    for odd in ("", "v", "nonsense", "v-1", "v" * 500):
        with pytest.raises(UsageProblem):
            bank.get(odd)


def test_folders_that_are_no_bank(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="does not exist"):
        load_bank(tmp_path / "none")
    with pytest.raises(UsageProblem, match="holds no"):
        load_bank(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageProblem, match="not a folder"):
        load_bank(tmp_path / "file")


@pytest.mark.parametrize(
    ("stem", "text", "part"),
    [
        ("v3", "def v4():\n  return w0 * x1\n", "defines v4"),
        ("v03", "def v3():\n  return w0 * x1\n", "not the name of a variant file"),
        ("values", "def v3():\n  return w0 * x1\n", "not the name of a variant file"),
        ("v3", "def v3(:\n", r"v3\.py:1: not Python"),
        ("v3", "def v3():\n  return w0 * z\n", r"v3\.py:2: 'z' is neither"),
    ],
)
def test_a_bad_file_is_told(tmp_path: Path, stem: str, text: str, part: str) -> None:
    with pytest.raises(UsageProblem, match=part):
        load_bank(write(tmp_path, **{stem: text}))


def test_files_in_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_bytes(b"\xef\xbb\xbf" + of("w0 * x1").encode())
    assert load_bank(tmp_path).names == ("v1",)
    (tmp_path / "v2.py").write_bytes("# вариант\n".encode("cp1251"))
    with pytest.raises(UsageProblem, match="cannot be read"):
        load_bank(tmp_path)


def test_the_bank_needs_no_torch() -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from pytest_backprop.exercises.functions import bank, scenarios;"
        "b = bank.load_bank(Path('variants')); scenarios.points(b.get('v8'), 0, 9);"
        "assert not {'torch', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


# -- in a submission, in a name -----------------------------------------------------------------


def test_the_last_variant_of_a_submission_is_found() -> None:
    text = (
        "%matplotlib inline\nthis is not python (\n"
        "def v1():\n  return w0\n\n"
        "class M:\n    def v08():  # name\n      r1 = w0\n\n# aside\n      return r1 * x1\n\n"
        "# more\nx = 1\n"
    )
    assert defined_variant(text) == "v8"
    assert defined_variant(V8.replace("\n", "\r\n")) == "v8"


@pytest.mark.parametrize(
    "text",
    ["", "# def v8():\n#   return 1", "def v8(self):\n  return 1", "def vx():\n  return 1",
     "undef v8():\n  return 1", "def conv8():\n  return 1"],
)  # fmt: skip
def test_no_variant_in_a_submission(text: str) -> None:
    assert defined_variant(text) is None


def test_a_huge_submission_is_cheap() -> None:
    start = time.thread_time()
    assert defined_variant("def v1():\n" + "  r1 = w0\n" * 200_000) == "v1"
    assert defined_variant(" " * 2_000_000) is None
    assert defined_variant("def v1(" + " " * 2_000_000) is None
    assert defined_variant("def v1():\n" * 200_000) == "v1"
    assert time.thread_time() - start < 5


@pytest.mark.parametrize(
    ("path", "token"),
    [
        ("v8.ipynb", "v8"),
        ("ivanov_v8.py", "v8"),
        ("HW1-V08-petrov.ipynb", "v8"),
        ("v08/homework.py", "v8"),
        ("v9/v8/homework.py", "v8"),
        ("v9/ivanov v8.py", "v8"),
        ("C:\\class\\v12\\a.py", "v12"),
        ("(v3).py", "v3"),
        ("v8_v08.py", "v8"),
        ("v100.py", "v100"),
        ("иванов_v8.ipynb", "v8"),
        ("v0.py", "v0"),
        ("a/v8", "v8"),
        ("v8/", "v8"),
        ("rev8.py", None),
        ("conv2d.py", None),
        ("v8x.py", None),
        ("8v8.py", None),
        ("иv8.py", None),
        ("v8й.py", None),
        ("v2024.py", None),
        ("notes_v1.5.py", None),
        ("v8_v9.py", None),
        ("v7/v8-or-v9.py", None),
        ("", None),
        ("v.py", None),
    ],
)
def test_the_token_in_a_name(path: str, token: str | None) -> None:
    assert variant_token(path) == token


# -- the same function --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("(w0 + x1) ** 2", "w0 * w0 + 2 * w0 * x1 + x1 * x1", True),
        ("(w0 ** 2 - x1 ** 2) / (w0 - x1)", "w0 + x1", True),
        ("w0 / x1", "x1 / w0", False),
        ("w0 * x1", "w0 * x1 + 1e-6", False),
        ("w0 * x1 / 2", "w0 * x1 * 0.5", True),
        ("w0 * x1", "w1 * x1", False),
        ("exp(w0) * exp(x1)", "exp(w0 + x1)", True),
        ("exp(w0) * x1", "exp(w0) * x1 + w0 / 1000", False),
        ("sqrt(w0 ** 2) * x1", "w0 * x1", False),
        ("sqrt(w0 ** 2) * x1", "abs(w0) * x1", True),
        ("x1 * w0 ** 0.5", "x1 * sqrt(w0)", True),
        ("relu(w0) * x1", "max(w0, 0) * x1", True),
        ("w0 / (x1 - x1)", "w0 / (x1 - x1)", True),
        ("w0 / (x1 - x1)", "2 * w0 / (x1 - x1)", False),
    ],
)
def test_same_function(a: str, b: str, same: bool) -> None:
    one, other = parse_variant(of(a)), parse_variant(of(b))
    assert same_function(one, other) is same
    assert same_function(other, one, seed=5) is same


def test_layout_does_not_matter() -> None:
    moved = parse_variant(V8.replace("\n", "\n\n"))
    assert same_function(parse_variant(V8), moved)
