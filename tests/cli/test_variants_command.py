"""`backprop variants`: what is drawn is right and the same each time, what is wrong is refused, and
who gets which variant stays."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings, strategies as st

from pytest_backprop.classroom.roster_file import load_roster
from pytest_backprop.cli import main
from pytest_backprop.exercises.functions.bank import load_bank, parse_variant
from pytest_backprop_authoring.variants.assignment import assigned
from pytest_backprop_authoring.variants.difficulty import Band, Difficulty, difficulty_of, outliers
from pytest_backprop_authoring.variants.examination import (
    Twins,
    fitness,
    is_rational,
    matters,
    same_function,
)
from pytest_backprop_authoring.variants.random_bank import Drawn, Order, draw, usual_difficulty

COURSE = Path(__file__).parents[2] / "variants"
BANK = load_bank(COURSE)
SECRET = "correct horse battery staple"
WIDE = Band(Difficulty(10, 4, 15, 8), Difficulty(20, 9, 45, 18))


def run(*arguments: object, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, ["variants", *map(str, arguments)], env=env)


def new(folder: Path, *arguments: object) -> Result:
    return run("new", "--out", folder, *arguments)


# -- new ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    folder = tmp_path_factory.mktemp("drawn") / "bank"
    return folder, new(folder, "--count", 12, "--seed", 3)


def test_new_writes_variants_within_the_band_it_states(drawn: tuple[Path, Result]) -> None:
    folder, result = drawn
    assert result.exit_code == 0
    bank = load_bank(folder)
    assert bank.names == tuple(f"v{number}" for number in range(1, 13))
    bands = dict(
        re.findall(r"^(nodes|depth|backward ops|peak live) +(\d+-\d+)", result.stdout, re.M)
    )
    low, high = zip(*(map(int, bands[name].split("-")) for name in bands), strict=True)
    band = Band(Difficulty(*low), Difficulty(*high))
    for variant in bank.values():
        assert band.holds(difficulty_of(variant)), variant.name
        assert (variant.weights, variant.inputs) == (("w0", "w1"), ("x1", "x2", "x3"))
        assert is_rational(variant)
    assert max(map(len, result.stdout.splitlines())) <= 80 + len(str(folder))


def test_what_is_drawn_is_fit_and_distinct(drawn: tuple[Path, Result]) -> None:
    result = run("check", drawn[0])
    assert result.exit_code == 0, result.output
    assert "12 fit, 0 refused" in result.stdout
    variants = load_bank(drawn[0]).values()
    assert not [
        (a.name, b.name)
        for a in variants
        for b in variants
        if a.name < b.name and same_function(a, b)
    ]


def test_what_is_drawn_reads_as_the_courses_own(drawn: tuple[Path, Result]) -> None:
    for path in drawn[0].iterdir():
        head, *lines = path.read_text(encoding="utf-8").splitlines()
        assert head == f"# Variant {path.stem[1:]}: drawn by backprop, seed 3."
        assert [line.split(" = ")[0] for line in lines[:-1]] == [
            f"def {path.stem}():", "  r1", "  r2", "  r3",
        ]  # fmt: skip
        assert lines[-1].startswith("  return ")


def test_fewer_are_the_beginning_of_more(drawn: tuple[Path, Result], tmp_path: Path) -> None:
    assert new(tmp_path / "five", "--count", 5, "--seed", 3).exit_code == 0
    for number in range(1, 6):
        name = f"v{number}.py"
        assert (tmp_path / "five" / name).read_bytes() == (drawn[0] / name).read_bytes()
    assert new(tmp_path / "other", "--count", 1, "--seed", 4).exit_code == 0
    assert (tmp_path / "other" / "v1.py").read_text() != (drawn[0] / "v1.py").read_text()


@pytest.mark.long
@settings(max_examples=8)
@given(
    seed=st.integers(0, 10**9),
    weights=st.integers(1, 3),
    inputs=st.integers(1, 4),
    count=st.integers(1, 3),
)
def test_draws_follow_from_the_seed_alone(seed: int, weights: int, inputs: int, count: int) -> None:
    names = tuple(f"w{i}" for i in range(weights)), tuple(f"x{i}" for i in range(inputs))
    order = Order(seed, *names, WIDE)
    found = list(draw(order, count))
    again = list(draw(order, count + 1))[:count]
    assert [texts(one) for one in found] == [texts(one) for one in again]
    for one in found:
        assert (one.variant.weights, one.variant.inputs) == names
        assert WIDE.holds(one.difficulty)
        assert matters(one.variant)


def texts(drawn: Drawn) -> tuple[str, Difficulty]:
    return drawn.variant.source, drawn.difficulty


def test_like_asks_for_the_difficulty_of_a_variant(tmp_path: Path) -> None:
    result = new(tmp_path / "bank", "--count", 1, "--seed", 0, "--like", "v10")
    centre = difficulty_of(BANK.get("v10"))
    assert f"{centre.nodes - 1}-{centre.nodes + 1}" in result.stdout
    assert abs(difficulty_of(load_bank(tmp_path / "bank").get("v1")).nodes - centre.nodes) <= 1


@pytest.mark.long
def test_other_numbers_of_weights_and_inputs(tmp_path: Path) -> None:
    arguments = "--count", 2, "--seed", 0, "--weights", 1, "--inputs", 2
    assert new(tmp_path / "bank", *arguments).exit_code == 0
    for variant in load_bank(tmp_path / "bank").values():
        assert (variant.weights, variant.inputs) == (("w0",), ("x1", "x2"))
    usual = usual_difficulty(("w0",), ("x1", "x2"))
    assert usual == usual_difficulty(("w0",), ("x1", "x2"))


def test_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    (tmp_path / "v2.py").write_text("def v2():\n  return w0 * x1\n")
    result = new(tmp_path, "--count", 2, "--seed", 0)
    assert result.exit_code == 2
    assert "v2.py is there already" in " ".join(result.output.split())
    assert "--force" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["v2.py"]
    assert new(tmp_path, "--count", 2, "--seed", 0, "--force").exit_code == 0
    assert len(load_bank(tmp_path)) == 2
    assert "and 1 others" in new(tmp_path, "--count", 2, "--seed", 0).output


def test_a_band_that_cannot_be_met_is_refused(tmp_path: Path) -> None:
    result = new(
        tmp_path, "--count", 1, "--seed", 0, "--weights", 8, "--inputs", 12, "--like", "v2"
    )
    assert result.exit_code == 2
    assert "v1 could not be drawn in 4000 tries" in result.output
    assert "take another --like" in result.output
    assert list(tmp_path.iterdir()) == []
    none = new(tmp_path, "--count", 1, "--seed", 0, "--weights", 8, "--inputs", 12)
    assert "no function was found of 8 weights and 12 inputs" in none.output


# -- check --------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_courses_own_variants_are_fit() -> None:
    result = run("check", COURSE)
    assert result.exit_code == 0
    assert "30 fit, 0 refused" in result.stdout
    assert re.search(r"^v8 +19\* +6 ", result.stdout, re.M)
    assert "* far from the others" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


REFUSED = {
    "does not parse": ("def v2():\n  return w0 *\n", "not Python", "Correct the syntax"),
    "of another name": ("def v3():\n  return w0 * x1\n", "defines v3", "Rename the file"),
    "branches": ("def v2():\n  return w0 if x1 else w1\n", "has no place in a variant", "straight-line"),
    "ill-conditioned": ("def v2():\n  return log(-w0 * w0) * x1\n", "ill-conditioned", "logarithms"),
    "not sensitive": ("def v2():\n  return w0 * x1 + w1 - w1\n", "does not depend on w1", "or without it"),
    "a twin": ("def v2():\n  return x1 * (w1 + w0)\n", "the same function as v1", "write another"),
    "a twin with functions": ("def v2():\n  return exp(log(w0)) * x1 + w1 * x1\n", "as v1", "write"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_a_variant_that_is_not_fit_is_refused_with_the_way_out(kind: str, tmp_path: Path) -> None:
    text, message, way_out = REFUSED[kind]
    (tmp_path / "v1.py").write_text("def v1():\n  return w0 * x1 + w1 * x1\n")
    (tmp_path / "v2.py").write_text(text)
    result = run("check", tmp_path)
    assert result.exit_code == 1, result.output
    said = " ".join(result.stdout.split())
    assert "v2 is refused" in said
    assert message in said
    assert way_out in said
    assert "1 fit, 1 refused" in said


def test_every_variant_is_looked_at_however_bad_the_first(tmp_path: Path) -> None:
    for number, text in enumerate(("w0 +", "import os", "return w0 * x1"), 1):
        (tmp_path / f"v{number}.py").write_text(f"def v{number}():\n  {text}\n")
    result = run("check", tmp_path)
    assert result.exit_code == 1
    assert "1 fit, 2 refused" in result.stdout
    assert result.stdout.count("is refused") == 2


def test_files_that_are_no_variants_by_name_are_told(tmp_path: Path) -> None:
    text = "def v1():\n  return w0 * x1\n"
    for name in ("v1.py", "V2.py", "variant3.txt", "x\x1b.py", ".hidden.py"):
        (tmp_path / name).write_text(text)
    result = run("check", tmp_path)
    assert result.exit_code == 0
    line = next(line for line in result.stdout.split("\n") if line.startswith("left out"))
    assert line.endswith(": V2.py, variant3.txt, x\\x1b.py")
    (tmp_path / "V2.py").unlink()
    for name in ("variant3.txt", "x\x1b.py"):
        (tmp_path / name).unlink()
    assert "left out, as" not in run("check", tmp_path).stdout


LAYER = 'EXERCISE = "layer"\n\n\ndef v{}(x: Float[Tensor, "n d"]):\n    return {}\n'
ASSIGNMENT = """\
[[part]]
name = "sigmoid"
task = "v31"
points = 2.5

[[part]]
name = "homework"
task = "variant"
points = 10
"""


def test_check_tells_what_each_part_of_an_assignment_is_worth(tmp_path: Path) -> None:
    (tmp_path / "v31.py").write_text(LAYER.format(31, "torch.sigmoid(x)"))
    (tmp_path / "v8.py").write_text(BANK.get("v8").source)
    (tmp_path / "a3.toml").write_text(ASSIGNMENT)
    result = run("check", tmp_path, "--assignment", tmp_path / "a3.toml")
    assert result.exit_code == 0, result.output
    rows = [line.split() for line in result.stdout.split("\n")]
    assert ["v31", "layer"] in rows
    assert ["sigmoid", "v31", "layer", "2.5"] in rows
    assert ["homework", "own", "variant", "forward-backward", "10"] in rows
    assert "2 fit, 0 refused" in result.stdout
    (tmp_path / "a3.toml").write_text(ASSIGNMENT.replace("v31", "v32"))
    wrong = run("check", tmp_path, "--assignment", tmp_path / "a3.toml")
    assert wrong.exit_code == 2
    assert "part sigmoid: there is no task 'v32'" in wrong.output


def test_check_refuses_tasks_of_other_exercises_too(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(LAYER.format(1, "x - x"))
    (tmp_path / "v2.py").write_text('EXERCISE = "layre"\n')
    (tmp_path / "v3.py").write_text(LAYER.format(3, "x.exp()"))
    result = run("check", tmp_path)
    assert result.exit_code == 1
    assert "v1 is refused" in result.stdout
    assert "v2 is refused: there is no kind of exercise 'layre'" in result.stdout
    assert "1 fit, 2 refused" in result.stdout


def test_check_needs_a_folder_of_variants(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        result = run("check", folder)
        assert result.exit_code == 2
        assert "variants folder" in result.output


def test_outliers_are_those_beyond_the_fences() -> None:
    usual = [Difficulty(16 + i % 2, 6, 30, 12) for i in range(20)]
    marks = outliers([*usual, Difficulty(30, 6, 30, 13)])
    assert marks == [frozenset()] * 20 + [frozenset({"nodes"})]
    assert outliers([]) == []


def test_twins_are_found_also_with_renamed_inputs() -> None:
    first = parse_variant("def v1():\n  return w0 * x1 / (w1 + x2)\n")
    swapped = parse_variant("def v2():\n  return w0 * x2 / (x1 + w1)\n")
    for renamed, expected in ((False, None), (True, "v1")):
        twins = Twins(renamed)
        twins.keep(first)
        assert twins.met(first) == "v1"
        assert twins.met(swapped) == expected


def test_the_measures_of_fitness() -> None:
    fit = fitness(BANK.get("v1"))
    assert 0 <= fit.left_out < 0.05
    assert fit.by_float32 > 0.98


# -- assign -------------------------------------------------------------------------------------

NAMES = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=30, unique=True)


@given(keys=NAMES, data=st.data())
def test_a_student_keeps_the_variant_whoever_joins(keys: list[str], data: st.DataObject) -> None:
    variants = BANK.names
    before = {key: assigned(b"s" * 32, key, variants) for key in keys}
    shuffled = data.draw(st.permutations(keys))
    joined = [*shuffled, *data.draw(NAMES)]
    after = {key: assigned(b"s" * 32, key, variants) for key in joined}
    assert {key: after[key] for key in keys} == before
    assert {assigned(b"s" * 32, key, data.draw(st.permutations(variants))) for key in keys} == set(
        before.values()
    )


@given(keys=NAMES)
def test_a_new_variant_moves_only_those_who_get_it(keys: list[str]) -> None:
    for key in keys:
        before = assigned(b"s" * 32, key, BANK.names)
        assert assigned(b"s" * 32, key, (*BANK.names, "v31")) in (before, "v31")
        fewer = [name for name in BANK.names if name != "v8"]
        assert before == "v8" or assigned(b"s" * 32, key, fewer) == before


def test_variants_are_spread_evenly_and_by_the_secret() -> None:
    times = dict.fromkeys(BANK.names, 0)
    others = 0
    for number in range(3_000):
        variant = assigned(b"a" * 16, f"id:{number}", BANK.names)
        times[variant] += 1
        others += variant != assigned(b"b" * 16, f"id:{number}", BANK.names)
    # 100 each on average; binomial with a deviation of 10
    assert min(times.values()) > 50
    assert max(times.values()) < 150
    assert others > 2_700


def assign(roster: Path, *arguments: object, secret: str = SECRET) -> Result:
    return run("assign", roster, "--secret-env", "SECRET", *arguments, env={"SECRET": secret})


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    path = tmp_path / "class.csv"
    path.write_text(
        "student,submission,id,email,group\nAnna,anna.py,1001,a@x.org,A\n"
        '"Öz, Boris",b.py,1002,,B\nВера,vera.ipynb,,Vera@x.org,B\n',
        encoding="utf-8",
    )
    return path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_assign_adds_the_column_and_keeps_all_others(roster: Path, tmp_path: Path) -> None:
    result = assign(roster)
    assert result.exit_code == 0
    before, after = rows(roster.read_text(encoding="utf-8")), rows(result.stdout)
    assert [{k: v for k, v in row.items() if k != "variant"} for row in after] == before
    assert all(row["variant"] in BANK for row in after)
    assert "3 students on 30 variants" in result.stderr
    assert SECRET not in result.output
    out = tmp_path / "roster.csv"
    assert assign(roster, "--out", out).exit_code == 0
    assert [entry.variant for entry in load_roster(out).entries] == [r["variant"] for r in after]


def test_the_secret_may_stand_in_a_file(roster: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    by_file = run("assign", roster, "--secret-file", tmp_path / "secret")
    assert by_file.exit_code == 0
    assert by_file.stdout == assign(roster).stdout
    assert by_file.stdout != assign(roster, secret="another " + SECRET).stdout


def test_who_joins_changes_nothing_for_the_others(roster: Path) -> None:
    before = {row["student"]: row["variant"] for row in rows(assign(roster).stdout)}
    head, *lines = roster.read_text(encoding="utf-8").splitlines()
    lines = ["Dan,d.py,17,,A", *reversed(lines)]
    roster.write_text("\n".join([head, *lines]), encoding="utf-8")
    after = {row["student"]: row["variant"] for row in rows(assign(roster).stdout)}
    assert before == {name: after[name] for name in before}


def test_a_variant_that_is_there_stays_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text("student;id;Variant;note\nAnna;1;8;x\nBoris;2;;y\nDan;3\n")
    result = assign(path)
    assert result.stdout.startswith("student;id;Variant;note\nAnna;1;v8;x\nBoris;2;v")
    assert "1 row keeps its variant" in result.stderr
    again = assign(path, "--reassign")
    given = {key: assigned(SECRET.encode(), f"id:{key}", BANK.names) for key in "123"}
    assert f"Anna;1;{given['1']};x\n" in again.stdout
    assert f"Dan;3;{given['3']}\n" in again.stdout


def test_a_list_may_be_filled_in_where_it_lies(roster: Path, tmp_path: Path) -> None:
    wanted = assign(roster).stdout
    assert assign(roster, "--out", roster).exit_code == 0
    assert roster.read_text(encoding="utf-8") == wanted
    assert assign(roster, "--out", roster).exit_code == 0
    assert roster.read_text(encoding="utf-8") == wanted
    other = tmp_path / "other.csv"
    other.write_text("mine")
    assert "is there already" in assign(roster, "--out", other).output
    assert other.read_text() == "mine"


WRONG = {
    "student,id\nAnna,1\nBoris,\n": "line 3: no id and no email",
    "student,id\nAnna,1\n\nBoris,1\n": "line 4: '1' is on line 2 too",
    "student,email\nAnna,a@x\nBoris,A@x\n": "line 3: 'a@x' is on line 2 too",
    "student,name\nAnna,1\n": "no column id and no column email",
    "student,id,ID\nAnna,1,2\n": "more than one column id",
    "student,id,variant\nAnna,1,v99\n": "line 2: there is no variant 'v99'",
    "student,id\n": "has no students",
    "": "has no students",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_with_a_list_is_told_with_its_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text(text)
    result = assign(path)
    assert result.exit_code == 2
    assert WRONG[text] in result.output
    assert result.stdout == ""


def test_secrets_that_will_not_do(roster: Path, tmp_path: Path) -> None:
    (tmp_path / "short").write_text("hunter2")
    for arguments, message in (
        ((), "from one place"),
        (("--secret-env", "NO_SUCH_NAME"), "no environment variable NO_SUCH_NAME"),
        (("--secret-file", tmp_path / "none"), "cannot be read"),
        (("--secret-file", tmp_path / "short"), "could be guessed"),
        (("--secret-file", tmp_path / "short", "--secret-env", "HOME"), "from one place"),
    ):
        result = run("assign", roster, *arguments)
        assert result.exit_code == 2
        assert message in result.output
        assert "hunter2" not in result.output
