"""`backprop variants`: makes variants for a class, examines a folder of them, gives them out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_backprop.classroom.names import printable
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import built_in
from pytest_backprop.exercises.functions.bank import Variant, load_bank, read_variant
from pytest_backprop.exercises.functions.bank.library import kinds_in
from pytest_backprop.grading.assignment import read_parts, usual
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.messages import say, say_count
from pytest_backprop.model import COURSE_KIND
from pytest_backprop.options import course_bank

from .assign import assign
from .output import put, refuse_existing
from .tables import table, wrapped

if TYPE_CHECKING:  # with torch, so only once a command runs
    from ..variants.difficulty import Band, Difficulty
    from ..variants.examination import Fitness
    from ..variants.random_bank import Drawn


@click.group()
def variants() -> None:
    """Make, examine and give out a course's variants."""


variants.add_command(assign)


@variants.command()
@click.option("--count", type=click.IntRange(1, 10_000), required=True, help="How many.")
@click.option("--seed", type=int, required=True, help="The same seed gives the same variants.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write.")
@click.option("--weights", type=click.IntRange(1, 8), default=2, show_default=True,
              help="w0, w1, ...")  # fmt: skip
@click.option("--inputs", type=click.IntRange(1, 12), default=3, show_default=True,
              help="x1, x2, ...")  # fmt: skip
@click.option("--like", metavar="vN", default=None,
              help="As hard as this built-in variant; default: as most of them.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over variants that are there.")
def new(
    count: int, seed: int, out: Path, weights: int, inputs: int, like: str | None, force: bool
) -> None:
    """Draw new variants v1, v2, ..., all distinct and as hard as each other."""
    chosen = None if like is None else load_bank(course_bank()).get(like)
    paths = [out / f"v{number}.py" for number in range(1, count + 1)]
    if not force:
        refuse_existing(paths)
    from ..variants.random_bank import Order, draw

    names = tuple(f"w{i}" for i in range(weights)), tuple(f"x{i + 1}" for i in range(inputs))
    band = _band(chosen, names)
    drawing = draw(Order(seed, names[0], names[1], band), count)
    label = say("drawing")
    with click.progressbar(drawing, length=count, label=label, file=sys.stderr) as progress:
        drawn = list(progress)
    for path, one in zip(paths, drawn, strict=True):
        head = f"# Variant {one.variant.name[1:]}: drawn by backprop, seed {seed}."
        put(path, f"{head}\n{one.variant.source}\n", force)
    told = say_count(
        "{count} variant in {folder}, seed {seed}", "{count} variants in {folder}, seed {seed}",
        count, folder=out, seed=seed,
    )  # fmt: skip
    for line in (*wrapped(told), "", *_measures(drawn, band)):
        click.echo(line)


@variants.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--assignment", type=click.Path(path_type=Path), metavar="FILE", default=None,
              help="TOML file with parts: tell what each is worth.")  # fmt: skip
def check(folder: Path, assignment: Path | None) -> None:
    """Examine the variants of FOLDER, and its tasks of other exercises; exit with 1 if any is
    refused."""
    kinds = kinds_in(folder)
    found, refused = _read(folder, kinds)
    others, why_not = _other_tasks(folder, kinds)
    refused |= why_not
    from ..variants.difficulty import Difficulty, difficulty_of, outliers
    from ..variants.examination import Twins, fitness

    twins = Twins()
    fit: list[tuple[Variant, Difficulty, Fitness]] = []
    for variant in found:
        try:
            measured = fitness(variant)
        except UsageProblem as problem:
            refused[variant.name] = problem
            continue
        twin = twins.met(variant)
        if twin is not None:
            refused[variant.name] = UsageProblem(
                say("variant {variant} is the same function as {other}", variant=variant.name,
                    other=twin),
                say("write another, or take one of the two out"),
            )  # fmt: skip
            continue
        twins.keep(variant)
        fit.append((variant, difficulty_of(variant), measured))
    marks = outliers([difficulty for _, difficulty, _ in fit])
    rows = [_heads()]
    for (variant, difficulty, measured), marked in zip(fit, marks, strict=True):
        cells = [
            f"{value}{'*' if name in marked else ' '}"
            for name, value in zip(Difficulty._fields, difficulty, strict=True)
        ]
        rows.append([variant.name, *cells, *_shares(measured)])
    for line in table(rows) if fit else ():
        click.echo(line)
    if any(marks):
        for line in wrapped(say("* far from the others: outside Tukey's fences")):
            click.echo(line)
    for name, why in refused.items():
        click.echo()
        for line in wrapped(say("{name} is refused: {problem}", name=name,
                                problem=why.message)):  # fmt: skip
            click.echo(line)
        for line in wrapped(why.way_out, "  "):
            click.echo(line)
    left = _others(folder)
    if left:
        click.echo()
        told = say("left out, as their names are not v<number>.py: {names}", names=", ".join(left))
        for line in wrapped(told):
            click.echo(line)
    if others:
        click.echo()
        for line in table([[say("task"), say("kind")], *map(list, others.items())]):
            click.echo(line)
    if assignment is not None:
        click.echo()
        for line in _worth(folder, assignment):
            click.echo(line)
    click.echo()
    count = len(fit) + len(others)
    click.echo(say("{fit} fit, {refused} refused", fit=count, refused=len(refused)))
    if refused:
        raise click.exceptions.Exit(1)


def _band(like: Variant | None, names: tuple[tuple[str, ...], tuple[str, ...]]) -> Band:
    from ..variants.difficulty import band_around, difficulty_of
    from ..variants.random_bank import median_difficulty, usual_difficulty

    if like is not None:
        return band_around(difficulty_of(like))
    course = [v for v in load_bank(course_bank()).values() if (v.weights, v.inputs) == names]
    if course:
        return band_around(median_difficulty([difficulty_of(variant) for variant in course]))
    return band_around(usual_difficulty(*names))


def _measures(drawn: list[Drawn], band: Band) -> list[str]:
    """How hard they are: each measure, its band, and what there is of it."""
    rows = [[say("measure"), say("band"), say("least"), say("median"), say("greatest")]]
    for at, head in enumerate(_heads()[1:5]):
        values = sorted(one.difficulty[at] for one in drawn)
        span = f"{band.least[at]}-{band.greatest[at]}"
        rows.append([head, span, *map(str, (values[0], values[len(values) // 2], values[-1]))])
    for at, head in enumerate(_heads()[5:]):
        shares = sorted((one.fitness for one in drawn), key=lambda fit, at=at: fit[at])  # type: ignore[misc]
        ends = (shares[0], shares[len(shares) // 2], shares[-1])
        rows.append([head, "", *(_shares(fit)[at] for fit in ends)])
    return table(rows)


def _heads() -> list[str]:
    return [say("variant"), say("nodes"), say("depth"), say("backward ops"), say("peak live"),
            say("left out"), say("in float32")]  # fmt: skip


def _shares(fit: Fitness) -> list[str]:
    return [f"{fit.left_out:.1%}", f"{fit.by_float32:.1%}"]


def _read(folder: Path, kinds: Mapping[str, str]) -> tuple[list[Variant], dict[str, UsageProblem]]:
    """The variants of a folder that can be read, by number, and why others cannot."""
    if not kinds:
        load_bank(folder)  # raises: no folder, or nothing in it
    found: list[Variant] = []
    refused: dict[str, UsageProblem] = {}
    for path in (folder / f"{name}.py" for name, kind in kinds.items() if kind == COURSE_KIND):
        try:
            found.append(read_variant(path))
        except UsageProblem as problem:
            refused[path.stem] = problem
    return sorted(found, key=lambda variant: int(variant.name[1:])), refused


def _other_tasks(
    folder: Path, kinds: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, UsageProblem]]:
    """The tasks of other exercises that can be graded on, with their kinds; and why others cannot:
    of an exercise in which one is bad at sight, none is."""
    fit: dict[str, str] = {}
    refused: dict[str, UsageProblem] = {}
    for kind in set(kinds.values()) - {COURSE_KIND}:
        from pytest_backprop.grading.tasks import Tasks

        from ..variants.examination import POINTS, SEED, TOLERANCE

        names = [name for name, own in kinds.items() if own == kind]
        try:
            exercise = built_in(kind)
            bank = exercise.load_bank(folder)
        except UsageProblem as problem:
            refused |= dict.fromkeys(names, problem)
            continue
        tasks = Tasks(exercise, SEED, POINTS, TOLERANCE)
        for name in bank:
            try:
                tasks.right(bank.get(name))
                fit[name] = kind
            except UsageProblem as problem:
                refused[name] = problem
    return dict(sorted(fit.items(), key=lambda item: int(item[0][1:]))), refused


def _worth(folder: Path, assignment: Path) -> list[str]:
    """What each part of an assignment is worth."""
    parts = read_parts(folder, COURSE_KIND, default_rubric, assignment)
    heads = [say("part"), say("task"), say("kind"), say("points")]
    rows = [[p.name, p.task or say("own variant"), p.kind, f"{p.points:g}"] for p in usual(parts)]
    return table([heads, *rows])


def _others(folder: Path) -> list[str]:
    """The files of a folder that the grader does not look at: none is a variant by its name."""
    read = set(folder.glob("v*.py"))
    files = (path for path in folder.iterdir() if path.is_file() and path not in read)
    return sorted(printable(path.name) for path in files if not path.name.startswith("."))
