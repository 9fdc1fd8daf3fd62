"""The rules of the house (docs/architecture.md): which way imports go, what runs without torch, sizes."""

from __future__ import annotations

import ast
import functools
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import versions
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import pytest_backprop
import pytest_backprop_authoring

PACKAGE = Path(pytest_backprop.__file__).parent
ROOT = PACKAGE.parent
ROOTS = {"pytest_backprop": (), "pytest_backprop_authoring": ("authoring",)}
"""Package -> what its modules' names begin with here: of the second distribution, `authoring`."""
MODULES = {
    ".".join((*room, *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__"): path
    for root, room in (
        (PACKAGE, ROOTS["pytest_backprop"]),
        (Path(pytest_backprop_authoring.__file__).parent, ROOTS["pytest_backprop_authoring"]),
    )
    for path in sorted(root.rglob("*.py"))
}
MODULES.pop("__init__")

FOR_ALL = {"model", "errors", "messages", "ordinary_files"}
DOORS = {
    "plugin", "options", "hookspecs", "extension", "errors", "ordinary_files", "resume", "rooms",
}  # fmt: skip

ALLOWED: dict[str, set[str]] = {
    "model": {"model"},
    "messages": set(),
    "errors": set(),
    "ordinary_files": set(),
    "submission": {"submission"},
    "trace": {"trace"},
    "classroom": {"classroom", "submission"},
    "reports": {"reports"},
    "exercises": {"exercises", "judging", "submission", "trace"},
    "processes": {"processes"},
    "processes.protocol": {"exercises", "processes"},
    "processes.child": {"exercises.base", "processes", "submission", "trace"},
    # of the rooms beside the core nothing is imported by name
    "rooms": {
        "classroom", "exercises", "judging.case", "processes.client", "processes.protocol", "reports.document",
    },
    "repair": {"exercises", "judging", "repair", "submission.parse", "trace"},
    "likeness": {"judging.case", "likeness", "reports", "trace"},
    "onnx": {
        "classroom", "exercises", "judging", "onnx", "processes.client", "processes.protocol",
        "processes.supervisor", "submission.parse",
    },
    "onnx.protocol": {"processes.protocol"},
    "onnx.evaluation": {"onnx.protocol"},
    "onnx.evaluate": {
        "onnx", "processes.limits", "processes.protocol", "processes.serving",
    },
    "onnx.export": {
        "exercises.adapt", "exercises.base", "exercises.modules", "onnx.protocol", "submission", "trace",
        "processes",
    },
    "grading": {
        "classroom", "exercises", "extension", "grading", "judging", "processes", "rooms", "submission", "trace",
    },
    "grading.rubric": {"exercises"},
    "judging": {
        "exercises.adjoint", "exercises.base", "exercises.functions", "judging",
        "submission.destinations", "submission.drops", "submission.parse", "trace",
    },
    "resume": {
        "grading.assignment", "grading.grades", "grading.rubric", "options", "reports", "rooms", "submission",
    },
    "cluster": {
        "classroom", "cluster", "exercises", "grading.assignment", "grading.grades", "grading.judge",
        "grading.rubric", "processes.client", "processes.protocol", "resume", "submission",
    },
    "authoring": {"authoring", "exercises", "judging.case", "grading.tasks", "repair.field"},
    "authoring.commands": {
        "authoring", "classroom", "exercises", "grading.assignment", "grading.rubric", "grading.tasks", "options",
        "reports.writing",
    },
    "session": {
        "classroom", "cluster", "exercises", "extension", "grading", "options", "reports", "resume", "rooms",
        "session", "submission",
        "processes.client", "processes.protocol",
    },
    # for the type of what a plugin's check is given
    "session.plugins": {
        "classroom", "exercises", "extension", "grading", "judging.case", "options", "reports", "resume", "submission",
    },
    "notebook": {"exercises", "grading", "notebook", "options", "reports", "submission"},
    "cli": {"classroom", "cli", "exercises", "grading", "options", "reports", "session"},
    "options": {"session.class_paths", "session.option_values"},
    "hookspecs": {"exercises", "extension"},  # for types alone
    "extension": {"exercises", "judging.case", "reports.document", "submission"},
    "plugin": {"hookspecs", "options", "session"},
}  # fmt: skip
"""Room, or module -> what it may import of ours, besides FOR_ALL. A room's name stands for all in it;
the longest entry that fits a module is the one that holds for it."""

NO_TORCH = (
    "plugin", "options", "hookspecs", "extension", "errors", "model", "messages", "rooms", "submission",
    "classroom", "reports", "reports.terminal", "session", "session.collect", "session.plugins",
    "session.reporter", "session.class_paths", "session.roster_report", "cli", "resume",
    "onnx.model_file", "onnx.protocol",
    "processes.protocol", "processes.supervisor", "processes.client", "processes.fresh", "processes.sandbox",
    "grading.rubric",
    "session.grading_session",
    "grading.assignment", "grading.grades", "cluster.workers",
    "grading.judge.judges", "exercises.functions.bank",
    "exercises.functions.scenarios", "authoring.answers",
    "authoring.variants.assignment", "authoring.variants.expressions", "authoring.commands.answers",
    "authoring.commands.graph", "authoring.commands.variants",
)  # fmt: skip


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def is_in(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def rule_of(module: str) -> set[str]:
    fitting = [name for name in ALLOWED if is_in(module, name)]
    assert fitting, f"{module} is new: give its room a line in ALLOWED and in docs/architecture.md"
    return ALLOWED[max(fitting, key=len)]


def named_here(name: str) -> str | None:
    """The name that a module of ours has here, or a name in one; None for those of others."""
    for root, room in ROOTS.items():
        if is_in(name, root):
            return ".".join((*room, *name.split(".")[1:]))
    return None


def known(name: str) -> str:
    """The module that `name`, a module or a name in one, is or lies in."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def imports_of(module: str, path: Path, loading: bool = False) -> set[str]:
    """Our modules that a module imports, anywhere in it, also for types alone; or `loading`: while it is
    imported itself."""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    found: set[str] = set()
    tree = tree_of(path)
    for node in tree.body if loading else ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [named_here(alias.name) for alias in node.names]
            found |= {known(name) for name in names if name is not None}
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
                whole = ".".join([*base, *filter(None, [node.module])])
            elif (absolute := named_here(node.module or "")) is not None:
                whole = absolute
            else:
                continue
            found |= {known(f"{whole}.{alias.name}".strip(".")) for alias in node.names}
    return found - {"", module}


@functools.cache
def imports() -> dict[str, set[str]]:
    """Those of each module."""
    return {module: imports_of(module, path) for module, path in MODULES.items()}


def test_imports_are_read_at_all() -> None:
    assert "trace.record" in imports()["processes.child"]  # from ..trace.record import Recorder
    assert "processes.sandbox" in imports()["processes.zygote"]  # from . import limits, sandbox
    assert "exercises.functions.bank" in imports()["grading.pipeline"]
    assert "hookspecs" in imports()["plugin"]  # in a function
    assert "reports.writing" in imports()["authoring.commands.output"]  # from another package
    assert "authoring.cells" in imports()["authoring.notebooks"]
    homework = imports()["exercises.by_hand.checks"]
    assert {"judging.forward", "judging.release"} <= homework  # from ...judging import forward


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_the_right_way(module: str) -> None:
    allowed = rule_of(module) | FOR_ALL
    wrong = {
        name for name in imports()[module] if not any(is_in(name, package) for package in allowed)
    }
    assert not wrong, f"{module} must not import {', '.join(sorted(wrong))}"


def test_at_the_top_stand_only_the_doors() -> None:
    at_the_top = {name for name, path in MODULES.items() if path.parent == PACKAGE}
    assert at_the_top == DOORS


def test_every_room_says_what_it_is_for() -> None:
    rooms = {path.parent for path in MODULES.values()} - {PACKAGE}
    for room in rooms:
        told = ast.get_docstring(tree_of(room / "__init__.py")) or ""
        assert len(told) > 60, room.name


def test_a_public_class_has_its_name_to_itself() -> None:
    names: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                names.setdefault(node.name, []).append(module)
    assert {name: where for name, where in names.items() if len(where) > 1} == {}


def test_nothing_imports_plugin() -> None:
    assert [module for module, names in imports().items() if "plugin" in names] == []


@functools.cache
def reachable(start: str) -> set[str]:
    """What is there once a module is imported: with each, the packages that it lies in."""
    seen, todo = set(), [start]
    while todo:
        module = todo.pop()
        if module in MODULES and module not in seen:
            seen.add(module)
            todo += [*imports_of(module, MODULES[module], loading=True), module.rpartition(".")[0]]
    return seen


@pytest.mark.parametrize(
    "secret", ["grading", "classroom", "exercises.functions", "repair", "resume"]
)
@pytest.mark.parametrize(
    "start", ["processes.child", "grading.judge.start", "onnx.export", "onnx.evaluate"]
)
def test_the_childs_process_has_nothing_to_give_away(start: str, secret: str) -> None:
    own = {
        start,
        *(start.rsplit(".", n)[0] for n in (1, 2)),
    }  # a module, and the rooms that it lies in
    assert not [name for name in reachable(start) - own if is_in(name, secret)]


WAYS = (
    "processes.forked", "processes.zygote", "processes.sandbox", "processes.usage", "processes.fresh",
    "processes.limits", "processes.client", "grading.judge.forking",
)  # fmt: skip
"""Where a child is run in one of the two ways. No other module has what only some systems have."""
OF_SYSTEMS = {"resource", "fcntl", "pwd", "grp", "termios", "msvcrt", "winreg", "landlock"}
OF_SOME = re.compile(
    r"os\.(fork|forkpty|killpg|setsid|setpgid|getpgid|getuid|geteuid|waitpid|mkfifo|register_at_fork|O_DIRECTORY)"
    r"|signal\.(SIG(KILL|STOP|CONT|USR1|USR2|CHLD|ALRM|HUP)|alarm|setitimer|pthread_\w+|set_wakeup_fd)"
    r"|socket\.(AF_UNIX|send_fds|recv_fds)|select\.poll|faulthandler\.register|ctypes\.(WinDLL|windll)"
)
PLACES = re.compile("/(proc|dev|sys/fs)/")


def of_one_system(tree: ast.Module) -> set[str]:
    """What a module has that only some systems have: modules, names and paths."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names} & OF_SYSTEMS
        elif isinstance(node, ast.ImportFrom):
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {n for n in whole if n.partition(".")[0] in OF_SYSTEMS or OF_SOME.fullmatch(n)}
        elif isinstance(node, ast.Attribute) and OF_SOME.fullmatch(ast.unparse(node)):
            names.add(ast.unparse(node))
        elif isinstance(node, ast.Constant) and PLACES.match(str(node.value)):
            names.add(str(node.value))
    return names


def test_what_only_some_systems_have_stands_in_the_workers_two_ways() -> None:
    assert {"os.fork", "signal.SIGKILL"} <= of_one_system(tree_of(MODULES["processes.forked"]))
    assert {"landlock.Ruleset", "os.setsid"} <= of_one_system(tree_of(MODULES["processes.sandbox"]))
    others = {
        module: of_one_system(tree_of(path))
        for module, path in MODULES.items()
        if module not in WAYS
    }
    assert {module: names for module, names in others.items() if names} == {
        "grading.judge.pool": {"/sys/fs/cgroup"}
    }


def test_the_way_of_every_system_imports_nothing_of_one() -> None:
    for start in (
        "plugin",
        "cli",
        "processes.fresh",
        "processes.serving",
        "processes.child",
        "grading.judge.start",
    ):
        loaded = {name for name in reachable(start) if name in MODULES}
        assert not loaded & {
            "processes.forked",
            "processes.zygote",
            "processes.sandbox",
            "grading.judge.forking",
        }, start


def test_the_grader_never_loads_the_childs_side() -> None:
    child = {"processes.child", "onnx.export", "onnx.evaluate"}
    assert child <= set(MODULES)
    assert not reachable("plugin") & child
    assert not reachable("grading.judge.judges") & child


PRIVATE = "trace.torch_private"


def private_names(path: Path) -> set[str]:
    """Attributes but for one's own, and names in text (`"_C.parse_ir"`), that begin with one underscore."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ("self", "other"):
            names.add(node.attr)
        elif isinstance(node, ast.Constant) and re.fullmatch(r"[\w.]+", str(node.value)):
            names.update(str(node.value).split("."))
    return {name for name in names if re.match("_[^_]", name)}


def of_torch(path: Path) -> set[str]:
    """Private names that are read of torch itself: `torch._C.parse_ir`, `from torch._C import _autograd`."""
    whole: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            whole.add(ast.unparse(node))
        elif isinstance(node, ast.Import):
            whole |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            whole |= {f"{node.module}.{alias.name}" for alias in node.names}
    names = {name for name in whole if is_in(name, "torch") and "._" in name.replace(".__", "")}
    return {name for name in names if not is_in(name, "torch.ops")}  # ops, as recordings name them


def test_private_names_of_torch_stand_in_one_module() -> None:
    theirs = private_names(MODULES[PRIVATE])
    assert {"_C", "_expired", "_schema", "_current_graph_task_id"} <= theirs
    assert of_torch(MODULES[PRIVATE]) >= {
        "torch._ops",
        "torch.utils._python_dispatch.TorchDispatchMode",
    }
    others = {module: path for module, path in MODULES.items() if module != PRIVATE}
    assert {m: read for m, path in others.items() if (read := of_torch(path))} == {}
    assert {m: read for m, path in others.items() if (read := private_names(path) & theirs)} == {}


def test_the_package_asks_for_versions_that_are_tried() -> None:
    """Those of `make test-versions`, and none that nobody has seen."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (torch,) = (r for line in project["dependencies"] if (r := Requirement(line)).name == "torch")
    assert torch.specifier.contains(versions.OLDEST)
    assert torch.specifier.contains(versions.NEWEST)
    newest = Version(versions.NEWEST)
    assert not torch.specifier.contains(f"{newest.major}.{newest.minor + 1}.0")
    pythons = SpecifierSet(project["requires-python"])
    allowed = [f"3.{minor}" for minor in range(20) if pythons.contains(f"3.{minor}.1")]
    assert set(allowed) <= set(versions.PYTHONS)
    named = [line.rpartition(" ")[2] for line in project["classifiers"] if ":: 3." in line]
    assert named == allowed


def test_no_module_is_named_utils() -> None:
    names = {part for module in MODULES for part in module.split(".")}
    assert not names & {"util", "utils", "helpers", "misc", "common"}


def lengths() -> dict[str, int]:
    return {module: len(path.read_bytes().splitlines()) for module, path in MODULES.items()}


def test_no_module_is_over_400_lines() -> None:
    assert {module: n for module, n in lengths().items() if n > 400} == {}


APART = ("repair", "onnx", "likeness")
"""Rooms behind the functions that `rooms` names. Their lines are counted for themselves."""


def test_the_core_imports_no_room_beside_it() -> None:
    core = {module for module in MODULES if module.split(".")[0] not in (*APART, "authoring")}
    wrong = {
        (module, name) for module in core for name in imports()[module]
        if any(is_in(name, room) for room in APART)
    }  # fmt: skip
    assert wrong == set()


BUDGET = {"core": 35631, "apart": 7654, "files": 241}
"""Lines and files of the package. It is raised only with a reason in CHANGELOG.md, and lowered by who takes out."""


def test_the_house_keeps_its_budget() -> None:
    counts = {
        path.relative_to(PACKAGE): len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob("*.py")
    }
    apart = sum(count for path, count in counts.items() if path.parts[0] in APART)
    sizes = {"core": sum(counts.values()) - apart, "apart": apart, "files": len(counts)}
    assert {name: size for name, size in sizes.items() if size > BUDGET[name]} == {}


def test_plugin_is_thin() -> None:
    assert lengths()["plugin"] < 200


HOOKS = "pytest_"  # pytest's own documentation says what a hook is


def undocumented(path: Path) -> list[str]:
    """Public functions, classes, and methods of more than one statement, without a docstring."""
    tree = tree_of(path)
    found = [] if ast.get_docstring(tree) is not None or not tree.body else ["the module"]
    todo = [("", node) for node in tree.body]
    while todo:
        prefix, node = todo.pop()
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            continue
        if node.name.startswith(("_", HOOKS)):
            continue
        name = prefix + node.name
        plain = bool(prefix) and len(node.body) == 1  # a one-line method says what it does
        if ast.get_docstring(node) is None and not plain:
            found.append(f"{name} (line {node.lineno})")
        if isinstance(node, ast.ClassDef) and not prefix:
            overrides = bool(node.bases)  # documented where they come from
            todo += [(f"{name}.", inner) for inner in node.body if not overrides]
    return found


@pytest.mark.parametrize("module", MODULES)
def test_public_names_have_docstrings(module: str) -> None:
    assert undocumented(MODULES[module]) == []


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_without_torch() -> None:
    names = ", ".join(f"pytest_backprop.{name}" for name in NO_TORCH)
    loaded = loaded_by(f"import {names.replace('.authoring.', '_authoring.')}")
    assert "pytest_backprop_authoring.commands.answers" in loaded
    assert "pytest_backprop.exercises.functions.scenarios" in loaded
    assert not {name for name in loaded if is_in(name, "torch") or is_in(name, "numpy")}


def test_hookspecs_import_ours_for_types_alone() -> None:
    ours = {
        name
        for name in loaded_by("import pytest_backprop.hookspecs")
        if is_in(name, "pytest_backprop")
    }
    assert ours == {"pytest_backprop", "pytest_backprop.hookspecs"}


def test_a_plugin_that_builds_on_ours_costs_next_to_nothing() -> None:
    """pytest loads it in every run; what is heavy comes with its first use."""
    loaded = loaded_by("import pytest_backprop.extension")
    assert {name for name in loaded if is_in(name, "pytest_backprop")} == {
        "pytest_backprop", *(f"pytest_backprop.{name}" for name in
                             ("extension", "model", "model.drawing", "model.recording", "model.submission",
                              "model.verdict", "errors")),
    }  # fmt: skip


def test_the_evaluator_of_models_loads_neither_torch_nor_what_runs_submissions() -> None:
    loaded = loaded_by(
        "import pytest_backprop.onnx.evaluate, pytest_backprop_authoring.graphs.model"
    )
    assert "pytest_backprop.onnx.evaluation" in loaded
    assert not {name for name in loaded if is_in(name, "torch")}
    assert not {name for name in loaded if is_in(name, "pytest_backprop.submission")}


def import_times(*command: str) -> dict[str, int]:
    """Module -> microseconds of its own, without those that it imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        capture_output=True, text=True, check=True, cwd=PACKAGE.parent / "variants",
    )  # fmt: skip
    rows = [line.removeprefix("import time:").split("|") for line in done.stderr.splitlines()
            if line.startswith("import time:")]  # fmt: skip
    return {row[2].strip(): int(row[0]) for row in rows if row[0].strip().isdigit()}


def test_without_backprop_pytest_loads_next_to_nothing_of_ours() -> None:
    # one --version imports no plugins at all
    plain = import_times("-m", "pytest", "-p", "no:backprop", "--version", "--version")
    added = set(import_times("-m", "pytest", "--version", "--version")) - set(plain)
    ours = {name for name in added if is_in(name, "pytest_backprop")}
    # `plugin` itself is loaded by pytest's own importer, which is not timed
    assert {"pytest_backprop.options"} <= ours
    models = {
        f"pytest_backprop.model.{n}"
        for n in ("drawing", "formats", "recording", "submission", "trait", "verdict")
    }
    assert ours <= models | {
        f"pytest_backprop.{name}"
        for name in ("plugin", "options", "session", "session.option_values", "errors", "messages",
                     "model", "hookspecs")
    }  # fmt: skip
    heavy = ("torch", "numpy", "nbformat", "IPython", "psutil", "jsonschema", "asyncio")
    assert not [name for name in added if any(is_in(name, package) for package in heavy)]


def test_without_backprop_it_costs_a_small_part_of_pytest() -> None:
    """About 11 ms where pytest's own imports take 150; as a ratio, since machines are busy."""
    plain = import_times("-m", "pytest", "-p", "no:backprop", "--version", "--version")
    statement = "import pytest, pytest_backprop.plugin, pytest_backprop.hookspecs"
    shares = []
    for _ in range(3):
        times = import_times("-c", statement)
        assert "pytest_backprop.plugin" in times
        ours = sum(cost for name, cost in times.items() if name not in plain)
        shares.append(ours / (sum(times.values()) - ours))
    assert min(shares) < 0.2, shares
