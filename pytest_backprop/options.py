"""Each setting is declared once: a field of `Settings` carries its command-line option and ini key.

`--backprop-rtol` goes with `backprop_rtol`. The command line wins over the ini file, and that
over the default. Every argparse default is None: any other would hide the ini key."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from .errors import UsageProblem
from .messages import LANGUAGES
from .model import COURSE_KIND
from .model.formats import FORMATS, ReportFormat
from .session import option_values as parse
from .session.option_values import LOCAL, Parse, Refused

SHIPPED_BANK = Path(__file__).parent / "variants"
_CHECKOUT_BANK = Path(__file__).parent.parent / "variants"


TERMINAL = Path("-")
"""In place of a report's path: it is shown."""


class ReportTarget(Struct, frozen=True):
    """A report to write: `format` is a key of `FORMATS`, `path` is absolute, or TERMINAL."""

    format: str
    path: Path


def _report(text: str, base: Path, formats: Mapping[str, ReportFormat] = FORMATS) -> ReportTarget:
    # The first colon: a Windows path has one of its own.
    format, colon, path = text.strip().partition(":")
    names = ", ".join(formats)
    if not colon:
        raise Refused("has no format", f"write FORMAT:PATH, as json:report.json; formats: {names}")
    if format not in formats:
        raise Refused(f"asks for the unknown format {format!r}", f"known formats: {names}")
    if not path.strip():
        example = "report" if formats[format].folder else f"report.{format}"
        raise Refused("has no path", f"write {format}:PATH, as {format}:{example}")
    if path.strip() == str(TERMINAL):
        if formats[format].folder:
            raise Refused("is a folder, which no terminal shows", f"write {format}:PATH")
        return ReportTarget(format, TERMINAL)
    return ReportTarget(format=format, path=parse.path_of(path, base))


class Option(Struct, frozen=True):
    """What the command line and the ini file have for a setting; its field in `Settings` has it.

    `parse` is None for a flag. `ini_type` is as `Parser.addini` takes it: native TOML settings are
    checked against it, and a `linelist` may be given more than once. `decides` is what hangs on the
    setting: a `grade`, by its value or by the `content` of what it names; what a `report` shows of
    grades; or `nothing` of either. A grade of an earlier run stands only where all that decides it
    is the same, so that a new option counts until its field says otherwise."""

    metavar: str
    parse: Parse | None
    ini_type: Literal["string", "bool", "int", "float", "linelist"] = "string"
    decides: Literal["grade", "content", "report", "nothing"] = "grade"
    field: str = ""
    default: Any = None

    @property
    def ini_key(self) -> str:
        """The ini key, which is also argparse's dest."""
        short = {"backprop": "", "class_name": "_class", "memory_mb": "_memory"}
        return f"backprop{short.get(self.field, '_' + self.field)}"

    @property
    def flag(self) -> str:
        """The option of the command line."""
        return "--" + self.ini_key.replace("_", "-")

    def read(self, text: str, base: Path, label: str) -> Any:
        """The value of a text. Raises UsageProblem naming `label`, the text and the way out."""
        assert self.parse is not None, f"{label} is a flag"
        try:
            return self.parse(text, base)
        except Refused as refused:
            why, way_out = refused.args
            raise UsageProblem(f"{label}: {text!r} {why}", way_out) from None


class Settings(Struct, frozen=True, kw_only=True):
    """All settings, valid, with absolute paths, and the option of each.

    `timeout` is in seconds, `memory_mb` in MB of 2**20 bytes. `typed` has, for each path setting,
    the text the user gave: reports show that, and not where it lies on this machine."""

    backprop: Annotated[bool, Option("", None, "bool", decides="nothing")] = False
    variant: Annotated[str | None, Option("vN", parse.variant, decides="content")] = None
    variants: Annotated[Path, Option("DIR", parse.directory, decides="content")]
    roster: Annotated[Path | None, Option("FILE", parse.path_of, decides="content")] = None
    assignment: Annotated[Path | None, Option("FILE", parse.path_of, decides="content")] = None
    rubric: Annotated[Path | None, Option("FILE", parse.path_of, decides="content")] = None
    report: Annotated[
        tuple[ReportTarget, ...], Option("FORMAT:PATH", _report, "linelist", decides="nothing")
    ] = ()
    gradebook: Annotated[Path | None, Option("FILE", parse.path_of, decides="nothing")] = None
    gradebook_column: Annotated[str | None, Option("NAME", parse.title, decides="nothing")] = None
    seed: Annotated[int, Option("N", parse.whole(0, 2**63 - 1), "int")] = 0
    points: Annotated[int, Option("N", parse.whole(1, 10_000_000), "int")] = 4096
    rtol: Annotated[float, Option("X", parse.tolerance, "float")] = 5e-5
    atol: Annotated[float, Option("X", parse.tolerance, "float")] = 1e-7
    class_name: Annotated[str | None, Option("NAME", parse.class_name)] = None
    timeout: Annotated[float, Option("SECONDS", parse.seconds, "float")] = 20.0
    memory_mb: Annotated[int, Option("MB", parse.memory_mb)] = 2048
    sandbox: Annotated[
        Literal["auto", "require", "off"],
        Option("auto|require|off", parse.choice("auto", "require", "off")),
    ] = "auto"
    hints: Annotated[
        Literal["none", "line"], Option("none|line", parse.choice("none", "line"), decides="report")
    ] = "line"
    lang: Annotated[Literal["en", "ru"], Option("|".join(LANGUAGES), parse.choice(*LANGUAGES))] = (
        "en"
    )
    resume: Annotated[bool, Option("", None, "bool", decides="nothing")] = False
    kind: Annotated[str, Option("NAME", parse.kind, decides="content")] = COURSE_KIND
    executor: Annotated[
        str, Option("local[:N]|dask:ADDRESS", parse.executor, decides="nothing")
    ] = LOCAL
    python: Annotated[str | None, Option("VERSION|PATH", parse.python, decides="nothing")] = None
    typed: dict[str, str]


HELP = {
    "backprop": "grade the given submissions",
    "variant": "the variant of every submission the roster does not list",
    "variants": "folder with the variants; default: variants/ in the root directory, else the "
    "built-in",
    "roster": "CSV file with the columns student, submission, variant; id or email may stand for "
    "submission",
    "assignment": "TOML file with the parts that every submission has, each with its task and "
    "points; default: one task a submission",
    "rubric": "TOML file with the points and rules of the checks",
    "report": "write a report, or show it with FORMAT:-; repeatable; formats: "
    f"{', '.join(FORMATS)}",
    "gradebook": "a gradebook exported from Canvas or Moodle: csv-canvas and csv-moodle write it "
    "filled in",
    "gradebook_column": "the column of the gradebook to fill in; default: the only one there is",
    "seed": "seed of the points to grade on; default: 0, so that every student and every run gets "
    "the same",
    "points": "number of points to grade on; default: 4096",
    "rtol": "relative tolerance; default: 5e-5; goes with --backprop-atol",
    "atol": "absolute tolerance; default: 1e-7; goes with --backprop-rtol",
    "class_name": "the model class; default: the last that has both methods",
    "timeout": "seconds of a processor that one submission may take, or ten times as many by the "
    "clock; default: 20",
    "memory_mb": "memory limit for one submission, as 2048, 512M or 2G; default: 2048",
    "sandbox": "the kernel's sandbox around student code: what there is, all of it or nothing, or "
    "none",
    "hints": "what findings show: no places, or places and hints; default: line",
    "lang": "language of what students read, on the terminal and in reports; default: en",
    "resume": "go on from the journal beside the report: grade only what is not in it or has "
    "changed",
    "kind": "kind of exercise of the students' variants; default: what each task says",
    "executor": "where submissions are graded: here, N at a time, or by the workers of a Dask "
    "cluster; default: here, as many at a time as there are processors",
    "python": "the Python that runs all of it, as 3.12, or the path of one that has this package",
}
"""What `--help` says of each."""

OPTIONS: tuple[Option, ...] = tuple(
    replace(option, field=field.name, default=None if field.required else field.default)
    for field in fields(Settings)
    for option in get_args(field.type)[1:]
    if isinstance(option, Option)
)

SHORT: dict[str, Option] = {o.ini_key.removeprefix("backprop_"): o for o in OPTIONS}
"""Each by what its name has after `--backprop-`."""


def read_texts(texts: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """All settings by their fields: those that have a text here, by their short names, and the
    defaults of the others. What is told of a text names it with `before`. Raises UsageProblem."""
    values = {option.field: option.default for option in OPTIONS}
    for name, text in texts.items():
        values[SHORT[name].field] = SHORT[name].read(str(text), Path.cwd(), before + name)
    return values


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register every option and every ini key, in the group `backprop`."""
    group = parser.getgroup("backprop", "grading hand-written backprop")
    for option in OPTIONS:
        text = HELP[option.field]
        attributes: dict[str, Any] = {"dest": option.ini_key, "default": None, "help": text}
        if option.parse is None:
            attributes["action"] = "store_true"
        else:
            attributes["action"] = "append" if option.ini_type == "linelist" else "store"
            attributes["metavar"] = option.metavar
        group.addoption(option.flag, **attributes)
        parser.addini(option.ini_key, text, type=option.ini_type, default=None)


# -- from pytest's config to Settings -----------------------------------------------------------


def settings(config: pytest.Config, formats: Iterable[str] = ()) -> Settings:
    """The settings of a run: command line, else ini file, else default. `formats` are those of
    reports that plugins add.

    Paths of the command line are relative to where pytest was called, those of the ini file to
    its folder. Raises UsageProblem naming the option or ini key, the value and the way out."""
    values: dict[str, Any] = {}
    typed: dict[str, str] = {}
    stated: set[str] = set()
    every_format = FORMATS | dict.fromkeys(formats, ReportFormat(""))
    for option in OPTIONS:
        if option.field == "report":
            option = replace(option, parse=functools.partial(_report, formats=every_format))
        value, texts = _stated(config, option)
        if value is not None:
            stated.add(option.field)
            if isinstance(value, Path):
                typed[option.field] = texts[0]
        values[option.field] = option.default if value is None else value
    for one, missing in (("rtol", "atol"), ("atol", "rtol")):
        if one in stated and missing not in stated:
            raise UsageProblem(
                f"--backprop-{one} is {values[one]:g}, but --backprop-{missing} is not given",
                f"give both; the assignment's {missing} is {values[missing]:g}",
            )
    if values["variants"] is None:
        values["variants"], typed["variants"] = _bank(config)
    return Settings(**values, typed=typed)


def chosen_python(config: pytest.Config) -> str | None:
    """The setting that counts before all others: which Python reads them. Raises UsageProblem."""
    value: str | None = _stated(config, SHORT["python"])[0]
    return value


def _stated(config: pytest.Config, option: Option) -> tuple[Any, list[str]]:
    """What the user set, parsed, with its text; (None, []) if nothing."""
    label = option.flag
    base = config.invocation_params.dir
    raw = config.getoption(option.ini_key)
    if raw is None:
        label = option.ini_key
        if config.inipath is not None:
            label, base = f"{option.ini_key} in {config.inipath.name}", config.inipath.parent
        try:
            raw = config.getini(option.ini_key)
        except (ValueError, TypeError, pytest.UsageError) as error:
            raise UsageProblem(f"{label}: {error}", f"meaning: {HELP[option.field]}") from None
    if raw is None:
        return None, []
    if option.parse is None:
        return bool(raw), []
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)  # as it was written, most likely: errors show it
    texts = [str(item) for item in (raw if isinstance(raw, list) else [raw])]
    parsed = [option.read(text, base, label) for text in texts]
    return (tuple(parsed) if option.ini_type == "linelist" else parsed[0]), texts


def _bank(config: pytest.Config) -> tuple[Path, str]:
    """The folder of variants nobody named, and what to call it."""
    own = config.rootpath / "variants"
    # Many projects have a folder of that name; a bank is made of .py files.
    if own.is_dir() and any(own.glob("*.py")):
        from .session.class_paths import graded_folders, lies_in

        start = config.invocation_params.dir
        if lies_in(own, graded_folders(config.args, start, beside_zips=False)):
            raise UsageProblem(
                f"{own} lies among the submissions, and the tasks would be taken from it",
                "if it is yours, name it: --backprop-variants variants",
            )
        return own, "variants"
    return course_bank(), "built-in"


def course_bank() -> Path:
    """The folder of the built-in variants: the wheel ships it inside the package, in a checkout it
    stands beside it."""
    if not SHIPPED_BANK.is_dir() and (_CHECKOUT_BANK.parent / "pyproject.toml").is_file():
        return _CHECKOUT_BANK
    return SHIPPED_BANK


def near_bank(start: Path) -> Path | None:
    """The folder `variants` with tasks that is nearest, from a folder upwards."""
    folders = (place / "variants" for place in (start, *start.parents))
    return next((folder for folder in folders if any(folder.glob("v*.py"))), None)


def settings_document(settings: Settings) -> dict[str, Any]:
    """The settings that decide a grade, or what is shown of it. Paths are as they were typed."""
    values = {o.field: getattr(settings, o.field) for o in OPTIONS if o.decides != "nothing"}
    return {
        field: settings.typed.get(field) if isinstance(value, Path) else value
        for field, value in values.items()
    }
