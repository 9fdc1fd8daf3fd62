"""Whose code a frame runs: the student's, a library's, or code that is in no file at all.

A name says nothing: `compile` takes any file name, and `code.replace` gives a copy any. So the
student's code is known by the identity of the code objects that were compiled from the submission,
and a library's by being, byte for byte, what its file holds."""

from __future__ import annotations

import contextlib
import functools
import marshal
import sysconfig
from collections.abc import Collection, Iterator
from importlib.machinery import FrozenImporter, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Literal

Origin = Literal["library", "transform", "foreign"]
"""Code that is not the student's: a library's, which works for whoever calls it; one that
differentiates; or any other."""

TRANSFORMS = tuple(
    "torch/_functorch/ torch/func/ torch/autograd/functional.py torch/autograd/forward_ad.py "
    "torch/fx/ torch/_dynamo/ torch/_inductor/ torch/_export/ torch/export/ "
    "torch/_higher_order_ops/ torch/_decomp/ torch/distributions/transforms.py torch/nn/grad.py "
    "numpy/polynomial/ numpy/lib/polynomial.py numpy/lib/_polynomial_impl.py "
    "<eval_with_key> <lambdifygenerated".split()
)
"""Files whose frames below the student's mean differentiation by transform; the last two are what
torch.fx and sympy wrote. Some know derivatives for a purpose of their own: Jacobians of
distributions, gradients of convolutions, polynomials whose coefficients may be tensors."""

MAPS = ("torch/_functorch/vmap.py", "torch/_functorch/apis.py")
"""Files among them with `torch.vmap`, which differentiates nothing: its ops are recorded as what
they do to whole batches."""

DISABLES = "torch/_dynamo/eval_frame.py"

LIBRARIES = ["torch", "numpy", "einops", "opt_einsum", __name__.partition(".")[0]]
"""Packages whose functions run ops on behalf of their caller, beside Python's own library: none of
them runs a program that it is given as data, except for those of torch named in `TRANSFORMS`."""


def trust(module: str) -> None:
    """Takes the package of a module among the libraries: a plugin's half of an exercise. Call it
    before anything runs."""
    package = module.partition(".")[0]
    if package not in LIBRARIES:
        LIBRARIES.append(package)
        _roots.cache_clear()
        _origin.cache_clear()


FROZEN = "<frozen "


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object with all that are in it: functions, classes, lambdas, comprehensions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


class Codes:
    """The code objects compiled from one submission, each with the unit of its text.

    They are kept alive, so that an id is never another's."""

    def __init__(self) -> None:
        self.kinds: dict[int, tuple[CodeType, int | Origin]] = {}

    def add(self, code: CodeType, kind: int | Origin) -> None:
        """Takes in what was compiled from a statement of the unit of that index, or of a file of
        the course's, which is a library to the student."""
        for inner in nested(code):
            self.kinds[id(inner)] = (inner, kind)

    def named(self, names: Collection[str]) -> tuple[CodeType, ...]:
        """Those of the submission's with one of these names, such as `Net.forward`."""
        own = [code for code, kind in self.kinds.values() if isinstance(kind, int)]
        return tuple(code for code in own if code.co_qualname in names)

    def kind(self, code: CodeType) -> int | Origin:
        """The unit, for code of the submission's; else where the code is from."""
        if id(code) not in self.kinds:
            self.kinds[id(code)] = (code, _origin(code, code.co_filename))
        return self.kinds[id(code)][1]


class AnyCodes(Codes):
    """For a run that is the grader's own: there is no submission, and nothing is foreign."""

    def kind(self, code: CodeType) -> int | Origin:
        """A library's, but for what was added, whose expressions are told apart."""
        return self.kinds.get(id(code), (code, "library"))[1]


@functools.cache  # codes are equal whatever their file
def _origin(code: CodeType, name: str) -> Origin:
    # torch wraps functions of its own in what keeps its compiler out
    disables = name.endswith(DISABLES) and code.co_qualname.startswith("DisableContext.")
    maps = name.endswith(MAPS[0]) or (
        name.endswith(MAPS[1]) and code.co_qualname.startswith(("vmap", "chunk_vmap"))
    )
    if any(part in name for part in TRANSFORMS) and not (disables or maps):
        return "transform"
    return "library" if _in_its_file(code) else "foreign"


def _in_its_file(code: CodeType) -> bool:
    written = _codes_in(code.co_filename).get((code.co_name, code.co_firstlineno), ())
    # version 2 has no back references, whose number depends on who else holds an object
    wanted = marshal.dumps(code, 2) if written else b""
    return any(marshal.dumps(other, 2) == wanted for other in written)


@functools.cache
def _codes_in(filename: str) -> dict[tuple[str, int], list[CodeType]]:
    """The code objects of a library's file by name and first line; none of any other file."""
    whole: CodeType | None = None
    if filename.startswith(FROZEN):  # `os` stands as `<frozen os>`
        with contextlib.suppress(ImportError):
            whole = FrozenImporter.get_code(filename.removeprefix(FROZEN).removesuffix(">"))
    elif _is_a_librarys(Path(filename)):
        whole = _whole_file(filename)
    codes: dict[tuple[str, int], list[CodeType]] = {}
    for inner in () if whole is None else nested(whole):
        codes.setdefault((inner.co_name, inner.co_firstlineno), []).append(inner)
    return codes


@functools.cache
def _whole_file(filename: str) -> CodeType | None:
    with contextlib.suppress(ImportError, OSError, SyntaxError, ValueError):
        return SourceFileLoader("library", filename).get_code("library")
    return None


def is_whole_file(code: CodeType) -> bool:
    """Whether this is all that a file holds, of whatever package: the import system ran it, or who
    runs it in its place."""
    return code == _whole_file(code.co_filename)


def _is_a_librarys(path: Path) -> bool:
    if ".." in path.parts or path.suffix != ".py":
        return False
    packages, python = _roots()
    is_installed = not {"site-packages", "dist-packages"}.isdisjoint(path.parts)
    return any(map(path.is_relative_to, packages)) or (
        not is_installed and any(map(path.is_relative_to, python))
    )


@functools.cache
def _roots() -> tuple[list[str], list[str]]:
    """The folders of the libraries, and those of Python's own."""
    specs = [find_spec(name) for name in LIBRARIES]
    origins = [spec.origin for spec in specs if spec is not None and spec.origin is not None]
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    return [str(Path(origin).parent) for origin in origins], python
