from __future__ import annotations

import os
from pathlib import Path, PureWindowsPath
from typing import Any

import msgspec
import pytest

from pytest_backprop import options
from pytest_backprop.errors import UsageProblem
from pytest_backprop.options import OPTIONS, ReportTarget, Settings, settings, settings_document
from pytest_backprop.reports import FOLDERS, RENDERERS
from pytest_backprop.reports.document import SettingsInfo
from pytest_backprop.session.report_targets import check_report_targets, inputs_of

# Where the plugin is installed its entry point has added the options already.
CONFTEST = """
from pytest_backprop import options

def pytest_addoption(parser):
    try:
        options.pytest_addoption(parser)
    except ValueError:
        pass
"""

ATOL = ("--backprop-atol", "1e-9")
RTOL = ("--backprop-rtol", "1e-3")


def config_of(pytester: pytest.Pytester, *args: str, ini: str = "") -> pytest.Config:
    pytester.makeconftest(CONFTEST)
    (pytester.path / "bank").mkdir(exist_ok=True)
    (pytester.path / "pytest.ini").write_text(f"[pytest]\n{ini}\n", encoding="utf-8")
    return pytester.parseconfig(*args)


def settings_of(pytester: pytest.Pytester, *args: str, ini: str = "") -> Settings:
    return settings(config_of(pytester, *args, ini=ini))


def expected(value: Any, base: Path) -> Any:
    """`value` with its relative paths under `base`."""
    if isinstance(value, Path):
        return base / value
    if isinstance(value, tuple):
        return tuple(ReportTarget(item.format, base / item.path) for item in value)
    return value


# flag -> a text that is not the default, and the field's value for it
CASES: dict[str, tuple[str, Any]] = {
    "--backprop": ("", True),
    "--backprop-variant": ("V08", "v8"),
    "--backprop-variants": ("bank", Path("bank")),
    "--backprop-roster": ("lists/roster.csv", Path("lists/roster.csv")),
    "--backprop-assignment": ("a3.toml", Path("a3.toml")),
    "--backprop-rubric": ("rubric.toml", Path("rubric.toml")),
    "--backprop-report": ("json:out/r.json", (ReportTarget("json", Path("out/r.json")),)),
    "--backprop-gradebook": ("export.csv", Path("export.csv")),
    "--backprop-gradebook-column": (" Homework 3 ", "Homework 3"),
    "--backprop-seed": ("12", 12),
    "--backprop-points": ("64", 64),
    "--backprop-rtol": ("1e-3", 1e-3),
    "--backprop-atol": ("0", 0.0),
    "--backprop-class": ("Мodel", "Мodel"),
    "--backprop-timeout": ("2.5", 2.5),
    "--backprop-memory": ("3G", 3072),
    "--backprop-sandbox": ("off", "off"),
    "--backprop-hints": ("none", "none"),
    "--backprop-lang": ("ru", "ru"),
    "--backprop-resume": ("", True),
    "--backprop-kind": ("relu-net", "relu-net"),
    "--backprop-executor": ("dask:tcp://node1:8786", "dask:tcp://node1:8786"),
    "--backprop-python": ("3.12", "3.12"),
}
PARTNERS = {"--backprop-rtol": ATOL, "--backprop-atol": RTOL}
every = pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.flag)


def test_every_option_has_a_case_and_a_field() -> None:
    assert list(CASES) == [option.flag for option in OPTIONS]
    assert [o.field for o in OPTIONS] == list(Settings.__struct_fields__)[:-1]


@every
def test_option_has_effect(pytester: pytest.Pytester, option: options.Option) -> None:
    text, value = CASES[option.flag]
    assert getattr(settings_of(pytester), option.field) != expected(value, pytester.path)
    given = [option.flag] if option.parse is None else [option.flag, text]
    found = settings_of(pytester, *given, *PARTNERS.get(option.flag, ()))
    assert getattr(found, option.field) == expected(value, pytester.path)


@every
@pytest.mark.parametrize("file", ["pytest.ini", "pyproject.toml"])
def test_ini_key_has_effect(pytester: pytest.Pytester, option: options.Option, file: str) -> None:
    """Read in a folder below, to see that paths are relative to the ini file."""
    text, value = CASES[option.flag]
    text = text or "true"
    partner = PARTNERS.get(option.flag, ())
    lines = {option.ini_key: text, **({partner[0].lstrip("-"): partner[1]} if partner else {})}
    pytester.makeconftest(CONFTEST)
    (pytester.path / "bank").mkdir()
    if file == "pytest.ini":
        body = "[pytest]\n" + "".join(f"{k.replace('-', '_')} = {v}\n" for k, v in lines.items())
    else:
        quoted = {
            k.replace("-", "_"): f'["{v}"]' if k == "backprop_report" else f'"{v}"'
            for k, v in lines.items()
        }
        body = "[tool.pytest.ini_options]\n" + "".join(f"{k} = {v}\n" for k, v in quoted.items())
    (pytester.path / file).write_text(body, encoding="utf-8")
    below = pytester.mkdir("below")
    os.chdir(below)
    found = settings(pytester.parseconfig(f"--confcutdir={pytester.path}", str(pytester.path)))
    assert getattr(found, option.field) == expected(value, pytester.path)


@every
def test_option_wins_over_ini(pytester: pytest.Pytester, option: options.Option) -> None:
    text, value = CASES[option.flag]
    other = {
        "--backprop": "false",
        "--backprop-resume": "false",
        "--backprop-report": "json:other.json",
        "--backprop-variants": ".",
        "--backprop-class": "Other",
        "--backprop-sandbox": "auto",
        "--backprop-hints": "line",
        "--backprop-lang": "en",
        "--backprop-kind": "other",
        "--backprop-executor": "local",
    }.get(option.flag, "7")
    given = [option.flag] if option.parse is None else [option.flag, text]
    found = settings_of(
        pytester, *given, *PARTNERS.get(option.flag, ()), ini=f"{option.ini_key} = {other}"
    )
    assert getattr(found, option.field) == expected(value, pytester.path)


@pytest.mark.parametrize(
    ("key", "value", "want"),
    [
        ("points", "64", 64),
        ("seed", "12", 12),
        ("timeout", "3", 3.0),
        ("memory", '"1.5G"', 1536),
        ("report", '["json:a.json"]', None),
    ],
)
def test_native_toml(pytester: pytest.Pytester, key: str, value: str, want: Any) -> None:
    if int(pytest.__version__.split(".")[0]) < 9:
        pytest.skip("pytest 9 brought native TOML settings")
    pytester.makeconftest(CONFTEST)
    pytester.makepyprojecttoml(f"[tool.pytest]\nbackprop_{key} = {value}\n")
    found = settings(pytester.parseconfig())
    if want is not None:
        assert getattr(found, "memory_mb" if key == "memory" else key) == want
    else:
        assert found.report == (ReportTarget("json", pytester.path / "a.json"),)


def test_defaults(pytester: pytest.Pytester) -> None:
    found = settings_of(pytester)
    for option in OPTIONS:
        if option.field != "variants":
            assert getattr(found, option.field) == option.default
    assert (found.seed, found.points, found.rtol, found.atol) == (0, 4096, 5e-5, 1e-7)
    assert (found.timeout, found.memory_mb, found.sandbox, found.hints) == (
        20,
        2048,
        "auto",
        "line",
    )


def test_reports_add_up(pytester: pytest.Pytester) -> None:
    one = ("--backprop-report", "json:a.json")
    two = ("--backprop-report=json:b.json",)
    found = settings_of(pytester, *one, *two)
    assert [t.path.name for t in found.report] == ["a.json", "b.json"]
    lines = "backprop_report =\n  json:c d.json\n  json:/x/e.json"
    found = settings_of(pytester, ini=lines)
    assert [t.path for t in found.report] == [pytester.path / "c d.json", Path("/x/e.json")]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (r"json:C:\оценки\grades.json", r"C:\оценки\grades.json"),
        (r"html:D:report", r"D:report"),
        ("json:C:/x y/grades.json", r"C:\x y\grades.json"),
        (r"json:out\grades.json", r"C:\class\out\grades.json"),
        (r"json:\\server\share\g.json", r"\\server\share\g.json"),
    ],
)
def test_a_drive_letter_is_the_paths(text: str, path: str) -> None:
    """On Windows; what a report is asked for in has the first colon alone."""
    report: Any = next(o.parse for o in OPTIONS if o.field == "report")
    target = report(text, PureWindowsPath(r"C:\class"))
    assert (target.format, target.path) == (text[:4], PureWindowsPath(path))


@pytest.mark.parametrize(
    ("flag", "value", "says", "way_out"),
    [
        ("variant", "eight", "'eight' is not the name", "v8"),
        ("variant", "", "'' is not the name", "v8"),
        ("variants", "nowhere", "'nowhere' is not a folder", "folder"),
        ("roster", " ", "' ' is not a path", "path"),
        ("rubric", "", "'' is not a path", "path"),
        ("report", "out.json", "'out.json' has no format", "json:report.json"),
        ("report", "xml:out.xml", "unknown format 'xml'", "json"),
        ("report", ":out", "unknown format ''", "json"),
        ("report", "json:", "'json:' has no path", "json:report.json"),
        ("gradebook", " ", "' ' is not a path", "path"),
        ("gradebook-column", " ", "' ' is not the name of a column", "heading"),
        ("seed", "x", "'x' is not a whole number", "from 0"),
        ("seed", "-1", "'-1' is not a whole number", "from 0"),
        ("seed", "1.5", "'1.5' is not a whole number", "from 0"),
        ("seed", str(2**63), "is not a whole number", "from 0"),
        ("points", "0", "'0' is not a whole number", "from 1"),
        ("points", "9" * 5000, "is not a whole number", "from 1"),
        ("rtol", "-1", "'-1' is not a tolerance", "5e-5"),
        ("rtol", "nan", "'nan' is not a tolerance", "5e-5"),
        ("atol", "inf", "'inf' is not a tolerance", "5e-5"),
        ("atol", "small", "'small' is not a tolerance", "5e-5"),
        ("class", "my model", "'my model' is not the name of a class", "class"),
        ("class", "None", "'None' is not the name of a class", "class"),
        ("timeout", "0", "'0' is not a time limit", "seconds"),
        ("timeout", "nan", "'nan' is not a time limit", "seconds"),
        ("timeout", "inf", "'inf' is not a time limit", "seconds"),
        ("memory", "0", "'0' is not an amount", "512M"),
        ("memory", "-5", "'-5' is not an amount", "512M"),
        ("memory", "2T", "'2T' is not an amount", "512M"),
        ("memory", "lots", "'lots' is not an amount", "512M"),
        ("sandbox", "on", "'on' is not a choice", "auto, require, off"),
        ("hints", "all", "'all' is not a choice", "none, line"),
        ("executor", "dask", "'dask' is no place to grade at", "dask:tcp://host:8786"),
        ("executor", "dask:", "'dask:' is no place", "local"),
        ("kind", "Two Words", "'Two Words' is not the name of a kind", "forward-backward"),
    ],
)
def test_wrong_value_names_option_value_and_way_out(
    pytester: pytest.Pytester, flag: str, value: str, says: str, way_out: str
) -> None:
    with pytest.raises(UsageProblem) as caught:
        settings_of(pytester, f"--backprop-{flag}={value}")
    assert caught.value.message.startswith(f"--backprop-{flag}: ")
    assert says in caught.value.message
    assert way_out in caught.value.way_out


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("variant", "eight", "'eight'"),
        ("variants", "nowhere", "'nowhere'"),
        ("roster", "", "''"),
        ("report", "json:a\n  out.json", "'out.json'"),
        ("seed", "x", "'x'"),
        ("points", "0", "'0'"),
        ("points", "1.5", "'1.5'"),
        ("rtol", "-1", "'-1'"),
        ("rtol", "small", "'small'"),
        ("atol", "nan", "'nan'"),
        ("timeout", "0", "'0'"),
        ("timeout", "inf", "'inf'"),
        ("memory", "2T", "'2T'"),
        ("sandbox", "on", "'on'"),
        ("hints", "all", "'all'"),
        ("executor", "slurm", "'slurm'"),
    ],
)
def test_wrong_ini_value_names_key_file_and_value(
    pytester: pytest.Pytester, key: str, value: str, says: str
) -> None:
    with pytest.raises(UsageProblem) as caught:
        settings_of(pytester, ini=f"backprop_{key} = {value}")
    assert caught.value.message.startswith(f"backprop_{key} in pytest.ini: ")
    assert says in caught.value.message
    assert caught.value.way_out


def test_wrong_flag_in_ini(pytester: pytest.Pytester) -> None:
    with pytest.raises(UsageProblem, match=r"backprop in pytest\.ini: .*'perhaps'"):
        settings_of(pytester, ini="backprop = perhaps")


@pytest.mark.parametrize(
    ("text", "mb"),
    [("2048", 2048), ("512M", 512), ("512 mb", 512), ("2g", 2048), ("1.5GiB", 1536), ("64MiB", 64)],
)
def test_memory_forms(pytester: pytest.Pytester, text: str, mb: int) -> None:
    assert settings_of(pytester, f"--backprop-memory={text}").memory_mb == mb


@pytest.mark.parametrize("one", [ATOL, RTOL])
def test_one_tolerance_alone_is_refused(pytester: pytest.Pytester, one: tuple[str, str]) -> None:
    with pytest.raises(UsageProblem) as caught:
        settings_of(pytester, *one)
    assert one[0] in caught.value.message
    assert one[1].replace("1e-3", "0.001").replace("1e-9", "1e-09") in caught.value.message
    assert "give both" in caught.value.way_out
    key = one[0].lstrip("-").replace("-", "_")
    with pytest.raises(UsageProblem, match="is not given"):
        settings_of(pytester, ini=f"{key} = {one[1]}")


def test_tolerances_may_come_from_two_places(pytester: pytest.Pytester) -> None:
    found = settings_of(pytester, *RTOL, ini="backprop_atol = 1e-9\nbackprop_rtol = 1e-2")
    assert (found.rtol, found.atol) == (1e-3, 1e-9)


def test_bank_is_the_root_directorys_or_the_course_s(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(options, "SHIPPED_BANK", tmp_path / "shipped")
    monkeypatch.setattr(options, "_CHECKOUT_BANK", tmp_path / "checkout" / "variants")
    found = settings_of(pytester)
    assert found.variants == tmp_path / "shipped"
    assert settings_document(found)["variants"] == "built-in"
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "pyproject.toml").touch()
    assert settings_of(pytester).variants == tmp_path / "checkout" / "variants"
    (tmp_path / "shipped").mkdir()
    assert settings_of(pytester).variants == tmp_path / "shipped"
    # A folder of that name that is no bank is left alone.
    (pytester.path / "variants").mkdir()
    assert settings_of(pytester).variants == tmp_path / "shipped"
    (pytester.path / "variants" / "v8.py").touch()
    (pytester.path / "class").mkdir()
    with pytest.raises(UsageProblem, match="variants lies among the submissions") as caught:
        settings_of(pytester)
    assert caught.value.way_out == "if it is yours, name it: --backprop-variants variants"
    found = settings_of(pytester, "class")
    assert found.variants == pytester.path / "variants"
    assert settings_document(found)["variants"] == "variants"


def test_document_fits_the_report_and_names_no_machine_path(pytester: pytest.Pytester) -> None:
    found = settings_of(
        pytester,
        "--backprop-variants=bank",
        "--backprop-roster=lists/r.csv",
        ini="backprop_rubric = r.toml",
    )
    document = settings_document(found)
    assert set(document) == set(SettingsInfo.__struct_fields__)
    info = msgspec.convert(document, SettingsInfo)
    assert (info.variants, info.roster, info.rubric) == ("bank", "lists/r.csv", "r.toml")
    assert str(pytester.path) not in repr(document)


def test_home_is_expanded(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert settings_of(pytester, "--backprop-roster=~/r.csv").roster == Path("/home/ann/r.csv")


def test_every_format_has_a_renderer() -> None:
    assert RENDERERS.keys() | FOLDERS.keys() == options.FORMATS.keys()


def test_help_shows_every_option(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    text = pytester.runpytest("--help").stdout.str()
    for option in OPTIONS:
        assert option.flag in text
        assert option.ini_key in text


# -- report targets ------------------------------------------------------------------------------


def targets(pytester: pytest.Pytester, path: str) -> Settings:
    return settings_of(pytester, f"--backprop-report=json:{path}")


def check_targets(settings: Settings) -> None:
    check_report_targets(settings, {}, (".py", ".ipynb"))


def test_report_targets_leave_no_trace(pytester: pytest.Pytester) -> None:
    found = targets(pytester, "new/deep/r.json")
    before = sorted(pytester.path.rglob("*"))
    check_targets(found)
    assert sorted(pytester.path.rglob("*")) == before
    check_targets(settings_of(pytester))


def test_report_target_that_cannot_be_written(pytester: pytest.Pytester) -> None:
    pytester.maketxtfile(afile="x")
    with pytest.raises(UsageProblem, match="cannot write in"):
        check_targets(targets(pytester, "afile.txt/r.json"))
    with pytest.raises(UsageProblem, match="is a folder"):
        check_targets(targets(pytester, "bank"))


def test_report_target_without_permission(pytester: pytest.Pytester) -> None:
    # nobody creates files there, root included
    with pytest.raises(UsageProblem, match="cannot write in"):
        check_targets(targets(pytester, "/proc/r.json"))


def test_report_target_on_a_disk_that_refuses(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    found = targets(pytester, "r.json")
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(UsageProblem, match="Permission denied"):
        check_targets(found)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices")
def test_report_target_may_be_a_device(pytester: pytest.Pytester) -> None:
    check_targets(targets(pytester, "/dev/null"))


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        ("csv:roster.csv", "take the place of the roster"),
        ("csv:class/../roster.csv", "take the place of the roster"),
        ("csv:link.csv", "take the place of the roster"),
        ("csv:hard", "take the place of the rubric"),
        ("json:pytest.ini", "take the place of what pytest takes its settings from"),
        ("json:class/ann.py", "ann.py is a submission, a task or a model by its name"),
        ("json:class/new.PY", "is a submission, a task or a model by its name"),
        ("markdown:task", "v1.py is a submission, a task or a model by its name"),
        ("csv:class.zip", "is a submission, a task or a model by its name"),
        ("html:class", "take the place of what is graded"),
        ("html:folder", "take the place of what is graded"),
        ("feedback:bank", "take the place of the folder of variants"),
        ("html:.", "take the place of"),
        ("json:any.json", "is no report of this version"),
        ("csv:list", "the journal"),
    ],
)
def test_no_report_takes_the_place_of_what_is_no_report(
    pytester: pytest.Pytester, report: str, reason: str
) -> None:
    for name in (
        "roster.csv",
        "rubric.toml",
        "class/ann.py",
        "bank/v1.py",
        "any.json",
        "list.journal",
    ):
        (pytester.path / name).parent.mkdir(exist_ok=True)
        (pytester.path / name).write_text("{}", encoding="utf-8")
    for link, to in {"link.csv": "roster.csv", "task": "bank/v1.py", "folder": "class"}.items():
        (pytester.path / link).symlink_to(to)
    os.link(pytester.path / "rubric.toml", pytester.path / "hard")
    rubric = "list.journal" if report == "csv:list" else "rubric.toml"
    config = config_of(
        pytester,
        "--backprop",
        "class",
        "--backprop-roster=roster.csv",
        f"--backprop-rubric={rubric}",
        "--backprop-variants=bank",
        f"--backprop-report={report}",
    )
    read = settings(config)
    with pytest.raises(UsageProblem, match=reason) as caught:
        check_report_targets(read, inputs_of(read, config), (".py", ".ipynb"))
    assert caught.value.way_out
    # an older report is no such thing
    (pytester.path / "any.json").write_text(
        '{"schema_version": 1, "tool": {"name": "pytest-backprop"}, "submissions": []}'
    )
    check_targets(targets(pytester, "any.json"))


def test_one_file_by_two_names_is_one_report(pytester: pytest.Pytester) -> None:
    (pytester.path / "a.json").touch()
    (pytester.path / "b.json").symlink_to("a.json")
    for other in ("b.json", "A.json", "x/../a.json"):
        words = "--backprop-report=json:a.json", f"--backprop-report=json:{other}"
        with pytest.raises(UsageProblem, match="take the place of another report"):
            check_targets(settings_of(pytester, *words))


def test_a_report_inside_another_is_refused(pytester: pytest.Pytester) -> None:
    inside = "--backprop-report=json:a/b/c.json"
    with pytest.raises(UsageProblem, match="take the place of another report"):
        check_targets(settings_of(pytester, inside, "--backprop-report=html:x/../a"))
    beside = "--backprop-report=html:a/b/c", "--backprop-report=json:a/d"
    check_targets(settings_of(pytester, inside, *beside))
