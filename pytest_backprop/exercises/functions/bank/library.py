"""Where variants are found: a folder of files, a submission's text, the name of a file."""

from __future__ import annotations

import ast
import contextlib
import difflib
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from ....errors import UsageProblem
from ....messages import meant, say, say_count
from ....model import COURSE_KIND, Unit
from ....ordinary_files import teachers_text
from .program import Variant
from .reading import VARIANT_NAME, canonical_name, parse_variant, refusing_text

_DEFINED: Final = re.compile(
    r"^[ \t]*def[ \t]+(v[0-9]{1,6})[ \t]*\([ \t]*\)[ \t]*(?:->[^:\n]{1,80})?:", re.MULTILINE
)
_TYPED: Final = re.compile(r"^def v[0-9]{1,6}\([^)]*\*", re.MULTILINE)
"""A function of tensors, whose weights are keyword-only."""
# No letter or digit may touch the token (an underscore may), and v1.5 is a version of something.
# More than three digits is a date or a year.
_TOKEN: Final = re.compile(r"(?<![^\W_])[vV]([0-9]{1,3})(?![^\W_])(?!\.[0-9])")


CONSTANTS: Final = frozenset(
    "ACCEPTS BELOW CALLS DELIVERS DTYPE EXERCISE GRADIENTS HOLDS LAST MAKES OPERATOR ORDER "
    "POSITIVE RANGES SIZES SUPPORT THRESHOLD VALUES WEIGHTED".split()
)
"""What the tasks of our exercises say beside their function."""


class TaskFile:
    """The file of a task, which is worked out when it is first asked for. `source` is its text."""

    def __init__(self, path: Path, read: Callable[[Path], Variant]) -> None:
        """Raises UsageProblem for a name that is none of a task, a text that is not Python, and one
        without a function of the file's name."""
        if canonical_name(path.stem) != path.stem or not VARIANT_NAME.fullmatch(path.stem):
            raise UsageProblem(
                f"{path}: {path.name!r} is not the name of a variant file",
                "Call it v<number>.py without leading zeros, or move it out of the folder.",
            )
        self.source = task_text(path)
        with refusing_text(str(path)):
            module = ast.parse(self.source)
        _check_constants(module, path)
        name = function_of(module, str(path)).name
        if name != path.stem:
            raise UsageProblem(
                f"{path}: defines {name}, the file's name asks for {path.stem}",
                f"Rename the file to {name}.py, or the function to {path.stem}.",
            )
        self.variant = functools.cache(lambda: read(path))


def _check_constants(module: ast.Module, path: Path) -> None:
    """Raises UsageProblem for one that is spelt nearly as one of ours: nobody would read it, and
    every submission would be judged by another task."""
    for node in module.body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            name = ast.unparse(target)
            if name not in CONSTANTS and (close := meant(name, CONSTANTS)):
                raise UsageProblem(
                    f"{path}:{node.lineno}: {name} says nothing", f"Rename it to {close}."
                )


class Bank:
    """The variants of one folder, by name. Source: one `v*.py` a variant, read by `load_bank`.
    `support` are the files that submissions of a variant may import, by its name; `kinds` has the
    kind of exercise of each, where there are several."""

    def __init__(
        self,
        directory: Path,
        variants: Mapping[str, Variant | TaskFile],
        support: Mapping[str, tuple[Unit, ...]] = MappingProxyType({}),
    ) -> None:
        self.directory = directory
        self._variants = variants
        self.support = support
        self.kinds: dict[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names, by number: v1, v2, ..., v10."""
        return tuple(self._variants)

    def name_of(self, name: str) -> str:
        """The name of a variant as files have it; `v08`, `V8` and a roster's bare `8` mean v8.

        Raises UsageProblem that names the nearest variants there are."""
        asked = name.strip().lower()
        own = canonical_name(asked if asked[:1] == "v" else f"v{asked}")
        if own not in self._variants:
            raise no_variant(name, self.names, f"{self.directory.name}/")
        return own

    def get(self, name: str) -> Variant:
        """The variant that `name_of` has by this name, worked out once. Raises UsageProblem as
        that does, and for a task that cannot be worked out."""
        task = self._variants[self.name_of(name)]
        return task.variant() if isinstance(task, TaskFile) else task

    def texts(self, name: str) -> tuple[str, ...]:
        """The text of a variant, and of what its submissions may import."""
        own = self.name_of(name)
        return self._variants[own].source, *(unit.text for unit in self.support.get(own, ()))

    def __contains__(self, name: object) -> bool:
        return name in self._variants

    def __iter__(self) -> Iterator[str]:
        return iter(self._variants)

    def __len__(self) -> int:
        return len(self._variants)

    def values(self) -> tuple[Variant, ...]:
        """The variants, in the order of `names`, all of them worked out. Raises UsageProblem."""
        return tuple(map(self.get, self._variants))

    @property
    def of_scalars(self) -> tuple[Variant, ...]:
        """Those of scalars, which are read at once."""
        return tuple(v for v in self._variants.values() if isinstance(v, Variant) and v.of_scalars)


def no_variant(name: str, names: Sequence[str], owner: str) -> UsageProblem:
    """What to raise for a name that none of some tasks has; `owner` is what has them, for
    people."""
    near = difflib.get_close_matches(name.strip().lower(), names, 3, 0.5) or list(names[:3])
    text = say_count(
        "there is no variant {name!r} among the {count} of {owner}",
        "there is no variant {name!r} among the {count} of {owner}",
        len(names),
        name=name[:80],
        owner=owner,
    )
    words = {"names": ", ".join(near), "first": names[0], "last": names[-1]}
    return UsageProblem(text, say("did you mean {names}? they go from {first} to {last}", **words))


def exercise_of(path: Path) -> str:
    """The kind of exercise that a task's file asks for by `EXERCISE = "…"`; the course's
    homework where it says nothing. One that cannot be read is told by whoever reads it as a
    task."""
    try:
        module = ast.parse(task_text(path))
    except (UsageProblem, ValueError, SyntaxError, RecursionError, MemoryError):
        return COURSE_KIND
    return str(read_constant(module, "EXERCISE", COURSE_KIND))


def read_constant(module: ast.Module, name: str, default: Any) -> Any:
    """A plain value that a file gives a name at its top; the default where it gives none."""
    value = assigned(module, name)
    if value is not None:
        with contextlib.suppress(ValueError):
            return ast.literal_eval(value)
    return default


def assigned(module: ast.Module, name: str) -> ast.expr | None:
    """The expression that a file gives a name at its top."""
    for node in module.body:
        targets = node.targets[:1] if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if any(ast.unparse(target) == name for target in targets):
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            return node.value
    return None


def task_text(path: Path) -> str:
    """What a task's file says. Raises UsageProblem."""
    return teachers_text(path, "task", "save it as a UTF-8 text file, or take it out of the folder")


def kinds_in(directory: Path) -> dict[str, str]:
    """The tasks of a folder, each with the kind of exercise that it asks for."""
    return {path.stem: exercise_of(path) for path in sorted(directory.glob("v*.py"))}


def usual_first(kinds: Iterable[str]) -> list[str]:
    """Kinds of exercise, each once; the course's own, where there is none, and before others."""
    return sorted(set(kinds) or {COURSE_KIND}, key=lambda kind: (kind != COURSE_KIND, kind))


def whole_bank(banks: Mapping[str, Bank]) -> Bank:
    """One bank of those of several kinds of exercise, by kind, in a folder."""
    whole, *others = banks.values()
    if others:
        variants = {name: task for bank in banks.values() for name, task in bank._variants.items()}
        support = {name: units for bank in banks.values() for name, units in bank.support.items()}
        whole = Bank(whole.directory, _by_number(variants), support)
        whole.kinds = {name: kind for kind, bank in banks.items() for name in bank}
    return whole


def _by_number(variants: Mapping[str, Variant | TaskFile]) -> dict[str, Variant | TaskFile]:
    return dict(sorted(variants.items(), key=lambda item: int(item[0][1:])))


def load_bank(
    directory: Path, kind: str = COURSE_KIND, read: Callable[[Path], Variant] | None = None
) -> Bank:
    """The tasks of a kind of exercise, of every `v*.py` of a folder. All are parsed at once, so
    that what is bad at sight is told at once. Those of scalars are read, too; one of tensors, or
    of which `read` makes a variant, is worked out when it is first asked for.

    Raises UsageProblem: no folder, no variant in it, a file that is not UTF-8, a file v3.py that
    does not define v3, and whatever `parse_variant` refuses.

    """
    if not directory.is_dir():
        what = "is not a folder" if directory.exists() else "does not exist"
        raise UsageProblem(
            f"the variants folder {directory} {what}",
            "Name a folder of files such as v8.py with --backprop-variants.",
        )
    from .support import support_of  # with what reads submissions

    variants: dict[str, Variant | TaskFile] = {}
    support: dict[str, tuple[Unit, ...]] = {}
    for path in sorted(directory.glob("v*.py")):
        if exercise_of(path) != kind:
            continue
        task = TaskFile(path, read or _read)
        of_scalars = read is None and not _TYPED.search(task.source)
        variants[path.stem] = task.variant() if of_scalars else task
        support[path.stem] = support_of(path)
    if not variants:
        kinds = "" if kind == COURSE_KIND else f' and EXERCISE = "{kind}"'
        raise UsageProblem(
            f"the variants folder {directory} holds no v*.py of the kind {kind}",
            f"Put one file a task there: v8.py with `def v8(…): ... return ...`{kinds}.",
        )
    return Bank(directory, _by_number(variants), support)


def read_variant(path: Path) -> Variant:
    """The variant of one file of a folder. Raises UsageProblem as `load_bank` does."""
    return TaskFile(path, _read).variant()


def _read(path: Path) -> Variant:
    text = task_text(path)
    if not _TYPED.search(text):
        return parse_variant(text, path=str(path))
    from ..typed_task import read_typed_task  # with torch, which a bank of scalars does without

    return read_typed_task(text, str(path))


def function_of(module: ast.Module, path: str) -> ast.FunctionDef:
    """The function of a task's file. Raises UsageProblem."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and VARIANT_NAME.fullmatch(node.name):
            return node
    raise UsageProblem(
        f"{path}: there is no function v<number>", "Write the task as `def v8(x: …): …`."
    )


def defined_variant(text: str) -> str | None:
    """The name of the last `def vN():` of a submission's text, which need not parse; None without
    one. Raises nothing."""
    names = _DEFINED.findall(text)
    return canonical_name(names[-1]) if names else None


def variant_token(path_text: str) -> str | None:
    """The variant that a path names: `ivanov_v8.py`, `HW1-V08-petrov.ipynb`, `v08/a.py` -> v8.

    The last part of the path speaks first, then its folders from the innermost. A part with two
    different tokens decides nothing, and then None is the answer: a guess would grade a student
    on somebody else's function. Raises nothing."""
    for part in reversed(re.split(r"[\\/]", path_text)):
        tokens = {f"v{int(digits)}" for digits in _TOKEN.findall(part)}
        if tokens:
            return tokens.pop() if len(tokens) == 1 else None
    return None
