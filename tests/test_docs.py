"""The documentation: its commands run and print what it shows, its files load, its links lead
somewhere, and nothing of the surface is missing from its page."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from configparser import ConfigParser
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

import click
import pytest
import torch
import yaml
from doc_folders import FOLDERS, variables
from doc_pages import PAGES, README, ROOT, Block, Page, matches, read
from rubrics import load_rubric

from pytest_backprop import hookspecs, submission
from pytest_backprop.cli import main
from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.exercises.base import checks_half
from pytest_backprop.exercises.functions import scenarios
from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading import pipeline, rubric
from pytest_backprop.judging.integrity import WAYS_OUT
from pytest_backprop.model import CHECK_IDS, CheckRules, LateRules, Status, scalars
from pytest_backprop.model.verdict import Credit, Visibility
from pytest_backprop.onnx.check import ID as ONNX
from pytest_backprop.options import FORMATS, OPTIONS
from pytest_backprop.processes import client, protocol
from pytest_backprop.trace import graph, record, replay
from pytest_backprop.trace.codes import Codes

READ = {name: read(name) for name in PAGES}
BLOCKS = [(page, block) for page in READ.values() for block in page.blocks]
SHELL = [(page, block) for page, block in BLOCKS if block.language == "sh"]
LOADED = {"toml", "ipython", "python", "json", "yaml", "ini", "csv", "text"}
FIGURES = ("commands.md", "architecture.md")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WHEEL = f"pytest_backprop-{PROJECT['version']}-py3-none-any.whl"
AUTHORING = f"pytest_backprop_authoring-{PROJECT['version']}-py3-none-any.whl"
INDEX = "--extra-index-url https://download.pytorch.org/whl/cpu"
INSTALL = f"pip install {WHEEL} {INDEX}"
PACKAGE = Path(hookspecs.__file__).parent


def of_language(language: str) -> list[Any]:
    return [
        pytest.param(block, id=f"{page.name}:{block.line}")
        for page, block in BLOCKS
        if block.language == language
    ]


# -- commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        page.name if page.name == "student.md" else pytest.param(page.name, marks=pytest.mark.long)
        for page in READ.values()
        if page.folder
    ],
)
def test_commands_do_what_the_page_says(name: str, tmp_path: Path) -> None:
    page = READ[name]
    folder = tmp_path / "here"
    folder.mkdir()
    assert page.folder
    FOLDERS[page.folder](folder)
    known = variables(tmp_path / "bin")
    if (folder / "installed").is_dir():
        parts = [str(folder / "installed"), known.get("PYTHONPATH", "")]
        known["PYTHONPATH"] = os.pathsep.join(filter(None, parts))
    outputs: dict[str, str] = {}
    last = ""
    for block in page.blocks:
        if block.title:
            (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.title).write_text(block.text, encoding="utf-8")
        elif "printed" in block.remarks:
            assert block.text in outputs[last], outputs[last]
        elif "output" in block.remarks:
            printed = outputs[block.remarks["output"] or last]
            assert matches(block.text, printed), f"{block.text}\n{printed}"
        elif block.language == "sh" and "not run" not in block.remarks:
            outputs |= run(block, folder, known)
            last = block.commands[-1]


def run(block: Block, folder: Path, known: dict[str, str]) -> dict[str, str]:
    """What each command of a block prints."""
    commands = block.commands
    zeros = " ".join("0" for _ in commands)
    codes = [int(code) for code in block.remarks.get("exit", zeros).split()]
    outputs = {}
    for command, code in zip(commands, codes, strict=True):
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=known, check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        outputs[command] = done.stdout
        assert done.returncode == code, f"{command}\n{done.stdout}"
    return outputs


def test_a_page_in_russian_has_what_the_english_one_has() -> None:
    """The same commands, headings and rows of tables; what they print is run on both pages."""
    english, russian = READ["student.md"], READ["student.ru.md"]

    def asked(page: Page) -> list[str]:
        texts = [
            command for block in page.blocks if block.language == "sh" for command in block.commands
        ]
        return [re.sub(r" --(backprop-)?lang ru", "", text) for text in texts]

    def shape(page: Page) -> list[str]:
        lines = (ROOT / "docs" / page.name).read_text(encoding="utf-8").split("\n")
        return [line[:2] for line in lines if line.startswith(("#", "| "))]

    assert asked(russian) == asked(english)
    assert shape(russian) == shape(english)


def test_a_page_with_commands_has_a_folder_for_them() -> None:
    for page, block in SHELL:
        assert block.commands
        assert page.folder or "not run" in block.remarks, f"{page.name}:{block.line}"


def test_what_is_not_run_is_little_and_has_its_reason() -> None:
    left_out = [
        (page.name, command, block.remarks["not run"])
        for page, block in SHELL
        if "not run" in block.remarks
        for command in block.commands
    ]
    assert all(len(reason.split()) > 3 for *_, reason in left_out)
    assert sorted((name, command) for name, command, _ in left_out) == sorted(
        [
            ("README.md", "make test"),
            ("README.md", r"py -m venv .venv; .venv\Scripts\pip install ."),
            (
                "README.md",
                r".venv\Scripts\backprop grade examples\class --backprop-roster "
                r"examples\roster.csv --backprop-report html:build\report",
            ),
            ("images.md", "docker build -t pytest-backprop ."),
            (
                "images.md",
                'docker run --rm --init --network none -v "$PWD:/class" pytest-backprop grade '
                "submissions/ --backprop-report json:grades.json",
            ),
            ("README.md", ". grader/bin/activate"),
            ("README.md", INSTALL),
            ("README.md", "python3 -m venv grader"),
            (
                "cluster.md",
                "backprop grade submissions/ --backprop-report json:grades.json "
                "--backprop-executor "
                "dask:tcp://HOST:8786",
            ),
            ("cluster.md", "dask scheduler"),
            ("cluster.md", "dask worker tcp://HOST:8786 --nthreads 1 --nworkers 16"),
            ("cluster.md", "pip install distributed"),
            ("editors.md", "backprop watch homework_v10.py --variant v10"),
            ("editors.md", "pip install watchfiles"),
            (
                "instructor.md",
                f"pip install 'https://course.example/{WHEEL}#sha256=SHA256' {INDEX}",
            ),
            ("instructor.md", f"pip install dist/{WHEEL} dist/{AUTHORING} {INDEX}"),
            ("onnx.md", "backprop graph v8 --netron"),
            ("onnx.md", "pip install onnx onnxscript"),
            ("onnx.md", "pip install tensorboard"),
            ("onnx.md", "tensorboard --logdir runs"),
            ("plugin.md", "pip install examples/plugin"),
            *(
                (page, command)
                for page in ("student.md", "student.ru.md")
                for command in (". grader/bin/activate", INSTALL, "python3 -m venv grader")
            ),
        ]
    )


INSTALLED = re.compile(r"\bpip3? install ((?:\\\n|[^\n`])*)")
OWN_NAME = re.compile(
    r"pytest[-_.]+backprop(?:[-_.]+authoring)?(?:\[[^\]]*\])?(?:[=<>!~ ].*)?", re.I
)


def test_nothing_installs_a_name_that_is_nobodys() -> None:
    """Whoever registers it on an index has it. A path or an address with a hash is no name."""
    folders = (ROOT / name for name in (".ci", "benchmarks", "docs", "examples", "pytest_backprop"))
    own = (ROOT / name for name in ("Makefile", "Dockerfile", "action.yml"))
    files = [*own, README, *(path for folder in folders for path in folder.rglob("*"))]
    count = 0
    for path in (path for path in files if path.is_file() and path.suffix not in (".mo", ".pyc")):
        text = path.read_bytes().decode("utf-8", "replace")
        for words in INSTALLED.findall(text):
            count += 1
            asked = re.split(r"[\s'\"]+", words)
            assert not [word for word in asked if OWN_NAME.fullmatch(word)], (path, words)
            wheels = [word for word in asked if "pytest_backprop" in word]
            names = {Path(word.partition("#")[0]).name for word in wheels}
            assert names <= {WHEEL, AUTHORING}, (path, words)
            assert all("#sha256=" in word for word in wheels if "://" in word), (path, words)
        if path.name == "pyproject.toml" and path.parent != ROOT:
            stated = tomllib.loads(text)["project"].get("dependencies", [])
            assert not [name for name in stated if OWN_NAME.fullmatch(name)], path
    assert count > 8


def test_what_asks_for_a_name_is_seen() -> None:
    for line in (
        "pip install pytest-backprop",
        "pip3 install 'pytest_backprop[onnx]' torch",
        "pip install -q \\\n  Pytest-Backprop-Authoring==0.1",
    ):
        (words,) = INSTALLED.findall(f"$ {line}\n")
        assert any(OWN_NAME.fullmatch(word) for word in re.split(r"[\s'\"]+", words)), line


def test_no_command_hides_in_a_block_that_is_not_run() -> None:
    for page, block in BLOCKS:
        where = f"{page.name}:{block.line}"
        assert block.language == "sh" or block.language in LOADED, where
        assert not re.search(r"^\$ ", block.text, re.MULTILINE), where  # nobody copies a prompt
        if block.language == "text":  # what a program prints, or a figure
            assert {"printed", "output"} & set(block.remarks) or page.name in FIGURES, where


def test_shown_lines_are_told_from_others() -> None:
    assert matches("a\n...\nd e...\n", "a\nb\nc\nd e f\n")
    assert matches("...\nd\n...\n", "d\n")
    assert not matches("a\nc\n", "a\nb\nc\n")
    assert not matches("a\n", "a\nb\n")
    assert not matches("...\nx\n", "a\nb\n")


# -- files that are shown -------------------------------------------------------------------------


@pytest.mark.parametrize("block", of_language("toml"))
def test_rubrics_load(block: Block, tmp_path: Path) -> None:
    if "[[part]]" in block.text:
        return  # an assignment, with which its page grades
    path = tmp_path / "rubric.toml"
    path.write_text(block.text, encoding="utf-8")
    loaded = load_rubric(path)
    for id, rows in tomllib.loads(block.text)["checks"].items():
        for key, value in rows.items():
            assert getattr(loaded.rules[id], key) == value


@pytest.mark.parametrize("block", of_language("python"))
def test_python_compiles(block: Block) -> None:
    compile(block.text, "page", "exec")


@pytest.mark.parametrize("block", of_language("ini"))
def test_ini_keys_are_ours(block: Block) -> None:
    parser = ConfigParser()
    parser.read_string(block.text)
    assert set(parser["pytest"]) <= {option.ini_key for option in OPTIONS}


def test_data_that_is_shown_is_what_it_says() -> None:
    load: dict[str, Any] = {"json": json.loads, "yaml": yaml.safe_load}
    for _, block in BLOCKS:
        load.get(block.language, str)(block.text)


# -- the package's own words -----------------------------------------------------------------------


def usage(thing: type) -> str:
    """The lines of code in a docstring, as they are read."""
    (code,) = re.findall(r"::\n\n((?: {4}.*\n)+)", inspect.getdoc(thing) or "")
    return textwrap.dedent(code)


def test_usage_in_docstrings_runs() -> None:
    """Each with the names of its module and what it says that it needs."""
    path = ROOT / "examples" / "class" / "anna_v8.ipynb"
    w = torch.tensor([0.5, 0.7])
    made: dict[str, Any] = {"codes": Codes(), "w": w}
    exec(usage(record.Recorder), vars(record) | made, made)
    assert [op.target for op in made["recording"].ops][-1] == "aten::mul.Tensor"
    made |= {"contextlib": contextlib, "units": submission.read(path).units, "scalars": scalars}
    exec(usage(client.Worker), vars(client) | vars(protocol) | made, made)
    made["recording"] = made["outcome"].answer.evidences[0].pass_recordings[0]
    exec(usage(replay.Program), vars(replay) | made, made)
    assert made["y"].shape == made["dw0"].shape == (1000, 1)
    exec(usage(graph.DataFlow), vars(graph) | made, made)
    assert made["unread"] == set()
    assert "aten::mul.Tensor" in made["of_dw0"]
    made |= {"folder": ROOT / "variants", "path": path, "load_bank": load_bank}
    exec(usage(pipeline.Grader), vars(pipeline) | vars(rubric) | made, made)
    assert made["score"] == 100


# -- what has to be on its page -------------------------------------------------------------------


def missing(page: str, names: Any) -> list[str]:
    """Names that stand nowhere on the page as code, alone or with more after a space or a colon."""
    text = READ[page].text
    return [n for n in names if not re.search(rf"(`|^){re.escape(n)}(?=[` :\"(\]]|$)", text, re.M)]


def test_every_option_and_ini_key() -> None:
    assert missing("options.md", [o.flag for o in OPTIONS]) == []
    assert missing("options.md", [o.ini_key for o in OPTIONS]) == []


def test_every_key_of_a_rubric_with_its_values() -> None:
    assert (
        missing("rubric.md", ["name", *CheckRules.__struct_fields__, *LateRules.__struct_fields__])
        == []
    )
    values = [value for kind in (Credit, Visibility) for value in get_args(kind)]
    assert [value for value in values if f"`{value}`" not in READ["rubric.md"].text] == []


def test_the_rubric_that_is_shown_has_every_check_and_every_key() -> None:
    (shown,) = [b.text for b in READ["rubric.md"].blocks if b.language == "toml"]
    tables = tomllib.loads(shown)["checks"]
    assert set(tomllib.loads(shown)["late"]) == set(LateRules.__struct_fields__)
    assert tuple(tables) == tuple(rubric.default_rubric().rules)
    assert {key for table in tables.values() for key in table} == set(CheckRules.__struct_fields__)


def test_every_check_has_its_definition() -> None:
    headings = re.findall(r"^## (\S+)$", READ["checks.md"].text, re.MULTILINE)
    assert [id for id in CHECK_IDS if id not in headings] == []
    judged = [checks_half(exercise).CHECKS for exercise in BUILT_IN.values()]
    assert {id for checks in judged for id in checks} | {ONNX} == set(CHECK_IDS)
    assert missing("checks.md", WAYS_OUT) == []
    assert missing("checks.md", scenarios.REGIMES) == []
    assert missing("checks.md", set(Status.__args__) - {"graded"}) == []


def test_points_by_default_are_those_of_the_code() -> None:
    for id, rules in rubric.default_rubric().rules.items():
        row = next(r for r in READ["checks.md"].text.split("\n") if r.startswith(f"| [`{id}`]"))
        assert id == "integrity" or re.search(rf"\| {rules.points:g}\b", row)
        (key,) = [r for r in READ["rubric.md"].text.split("\n") if r.startswith("| `points`")]
        assert f"{id} {rules.points:g}" in key


def test_every_report_format() -> None:
    assert missing("lms.md", set(FORMATS) - {"json", "html"}) == []
    assert missing("instructor.md", ["json", "html"]) == []


def test_every_hook() -> None:
    hooks = [name for name in vars(hookspecs) if name.startswith("pytest_backprop_")]
    assert len(hooks) > 3
    headings = re.findall(r"^### (\S+)$", READ["plugin.md"].text, re.MULTILINE)
    assert sorted(headings) == sorted(hooks)


def commands(group: click.Command, name: str) -> list[str]:
    if not isinstance(group, click.Group):
        return [name]
    context = click.Context(group)
    return [
        found
        for inner in group.list_commands(context)
        if (command := group.get_command(context, inner)) is not None
        for found in commands(command, f"{name} {inner}")
    ]


def test_every_command() -> None:
    headings = re.findall(r"^### (.+)$", READ["commands.md"].text, re.MULTILINE)
    assert sorted(headings) == sorted(commands(main, "backprop"))
    shown = " ".join(c for _, block in SHELL for c in block.commands)
    used = [n for n in commands(main, "backprop") if n != "backprop gradescope run"]
    assert [name for name in used if name not in shown] == []


def test_commands_in_the_text_are_there() -> None:
    """`--options` that a page mentions are those of pytest's plugin, of a command, or pytest's."""
    known = {option.flag for option in OPTIONS}
    known |= set(re.findall(r"(?<!\S)--[a-z-]+", READ["commands.md"].text.replace("/", " ")))
    known |= {"--junitxml", "--cache-clear", "--strict"}
    for page in READ.values():
        used = set(re.findall(r"`(--[a-z][a-z-]*)", page.text))
        assert used <= known, page.name


# -- the page for who changes the grader ----------------------------------------------------------

NAMED = re.compile(r"`([\w./-]+/|[\w./-]*\.(?:py|md|txt|po))(?:::(\w+))?`")


def place_of(name: str) -> Path:
    """What a page calls by a path: in the package, or from the root."""
    found = [base / name for base in (PACKAGE, ROOT) if (base / name).exists()]
    assert found, name
    return found[0]


def test_paths_of_the_architecture_are_there() -> None:
    text = READ["architecture.md"].text
    for name, test in NAMED.findall(text):
        assert not test or f"\ndef {test}(" in place_of(name).read_text("utf-8"), test
        place_of(name)
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {name for name in rooms if f"\n| `{name}/` |" not in text} == set()


def test_names_of_the_architecture_are_in_their_modules() -> None:
    """The third cell of a step names what the second has; `(NAME)` what the path before it has."""
    text = READ["architecture.md"].text
    named = [
        (re.findall(r"`(\S+)`", modules), re.findall(r"`(\S+)`", names))
        for modules, names in re.findall(r"^\| \d+ \| (.*?) \| (.*?) \|", text, re.MULTILINE)
    ]
    for path, inner in re.findall(r"`([\w/]+\.py)` \(([^)]*)\)", text):
        named.append(([path], re.findall(r"`([A-Z]\w+|\w+)`", inner)))
    assert len(named) > 30
    for paths, names in named:
        sources = "\n" + "\n".join(place_of(path).read_text("utf-8") for path in paths)
        for name in (part for whole in names for part in whole.split(".")):
            assert re.search(rf"\n *(def |class )?{name}\b", sources), (paths, name)


# -- links ----------------------------------------------------------------------------------------


def links(page: Page) -> list[str]:
    found = re.findall(r"\]\(([^)]+)\)", re.sub(r"```.*?```", "", page.text, flags=re.DOTALL))
    return [link for link in found if link]


@pytest.mark.parametrize("name", READ)
def test_links_to_other_sites_are_well_formed(name: str) -> None:
    """That, and no more: there is no network here."""
    for link in links(READ[name]):
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme == "https"
            assert re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc), link


def test_links_of_the_readme_lead_somewhere() -> None:
    """Those of the pages are checked by mkdocs, which does not know the README."""
    for link in links(READ["README.md"]):
        parts = urlsplit(link)
        if not parts.scheme and parts.path:
            assert (ROOT / parts.path).exists(), link
        if not parts.scheme and parts.fragment:
            text = (ROOT / parts.path if parts.path else README).read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            slugs = [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings]
            assert parts.fragment in slugs, link


def test_the_pages_build_and_ask_for_nothing_outside(tmp_path: Path) -> None:
    """Strictly: a link or an anchor that leads nowhere, or a page that the menu lacks, is an error."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    pages = sorted((tmp_path / "site").glob("*.html"))
    assert {page.stem for page in pages} >= {n.removesuffix(".md") for n in PAGES} - {"README"}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<!-- generated" not in text
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", text):
            assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", tag), tag


def test_grading_runs_of_the_pages_are_few() -> None:
    """Each costs seconds."""
    runs = [c for page, block in SHELL if "not run" not in block.remarks
            for c in block.commands if c.startswith(("backprop grade", "make grade"))]  # fmt: skip
    assert 3 < len(runs) <= 28
