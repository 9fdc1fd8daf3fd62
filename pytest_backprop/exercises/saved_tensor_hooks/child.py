"""The child's half: the model of a task under the student's hooks, which are watched. Student code
runs here, and may write files in the folder that this process was given."""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch
from msgspec.structs import replace
from torch.autograd.graph import saved_tensors_hooks

from ...model import Evidence, Scenario
from ...submission import fault_of, slice_names
from ...trace.torch_private import tree_map
from ...trace.watch import run_engine
from ..adjoint.tensors import as_sent, drawn
from ..base import Source
from ..loading import Loaded, check_signature, load_slice, task_functions
from . import AGAIN, GRAPH_COUNT, GRAPHS, PACK, PASS_NAMES as PASS_NAMES, UNPACK, HookFacts

WARM_UP = None
MAX_DEPTH = 50
"""Of folders in folders that are looked into."""

Hooks = tuple[Callable[..., Any], Callable[..., Any]]


# what torch sets up at the first use of its engine and of hooks is set up before a child is forked
_x = torch.ones(2, requires_grad=True)
with saved_tensors_hooks(lambda tensor: tensor.detach(), lambda tensor: tensor):
    run_engine(_x * _x, _x.detach(), [_x], None)


def find(source: Source, scenario: Scenario) -> HookTarget:
    """The hooks of a submission, which is loaded in a new folder. Raises SubmissionProblem."""
    # as others may enter the machine's own temporary folder, so they may this one
    folder = os.path.join(os.environ.get("TMPDIR", "/tmp"), os.urandom(8).hex())
    os.mkdir(folder)
    os.chdir(folder)
    tempfile.tempdir = folder
    # a file with a name, so that the grader sees it; it goes when it is closed, too
    tempfile.TemporaryFile = tempfile.NamedTemporaryFile  # type: ignore[assignment]
    _set_no_modes_in(folder)
    chosen = slice_names(source.units, None, (PACK, UNPACK))

    def built(_: type, names: dict[str, Any], __: list[str]) -> Hooks:
        check_signature(names[PACK], PACK, ("x",), chosen.manual_pass)
        check_signature(names[UNPACK], UNPACK, ("packed",), chosen.forward)
        return names[PACK], names[UNPACK]

    return HookTarget(lambda: load_slice(chosen, False, built), scenario, folder)


def _set_no_modes_in(folder: str) -> None:
    """From here on `os.chmod` does nothing to what is in the folder. The sandbox, which cannot tell
    folders apart, refuses modes for all files; nobody else may enter what is around the folder."""
    set_mode = os.chmod

    def chmod(path: Any, mode: int, **options: Any) -> None:
        is_open = isinstance(path, int)
        if not is_open and not os.path.realpath(os.fsdecode(path)).startswith(folder + os.sep):
            set_mode(path, mode, **options)

    os.chmod, os.fchmod = chmod, chmod  # type: ignore[assignment]


class HookTarget:
    """The student's hooks, and the model of a task with its tensors. What pack_hook does is
    watched, tensor by tensor."""

    def __init__(self, load: Callable[[], Loaded[Hooks]], scenario: Scenario, folder: str) -> None:
        self._load = load
        self._loaded = load()
        self._scenario = scenario
        self._folder = folder
        self._facts = HookFacts()
        self._counts: Counter[str] = Counter()
        """Counts that `HookFacts` has, by its names."""
        (self._function,) = task_functions(scenario.expression).values()
        seed, self._threshold = map(int, scenario.points[0])
        self._inputs = drawn(scenario.leaves, seed)
        self._values: list[torch.Tensor] = []
        self._large: set[bytes] = set()
        """The digests of large tensors."""

    def trial(self, stop: Callable[[], None]) -> Evidence:
        """Runs the scenario's variation, and stops where the grader looks at the files."""
        variation = self._scenario.variation
        for at in range(GRAPH_COUNT if variation == GRAPHS else 1):
            self._attempt("pack", self._forward, at == 1)
        stop()
        if variation == GRAPHS:
            self._drop(1)
        stop()
        if variation == GRAPHS:  # names by the number of files come again
            self._attempt("pack", self._forward, False)
            self._attempt("unpack", self._backward, -2)
        self._attempt("unpack", self._backward)
        if variation == AGAIN:
            self._attempt("again", self._backward)
        if variation == GRAPHS:
            self._attempt("unpack", self._empty)
        self._drop()
        stop()
        return self._loaded.evidence("float32", replace(self._facts, **self._counts))

    def _attempt(self, step: str, call: Callable[..., None], *arguments: Any) -> None:
        """What the student's code raises becomes a fact, and ends the run."""
        if self._facts.fault is not None:
            return
        try:
            call(*arguments)
        except BaseException as error:
            fault = fault_of(error)
            message = fault.message.replace(self._folder + os.sep, "")
            self._facts = replace(self._facts, fault=replace(fault, message=message), step=step)

    def _forward(self, is_reloaded: bool) -> None:
        """One more graph; with the submission loaded once more, as in another process of the same
        user's."""
        with _other_process() if is_reloaded else contextlib.nullcontext():
            pack, unpack = self._load().built if is_reloaded else self._loaded.built
            with saved_tensors_hooks(functools.partial(self._pack, pack), unpack):
                self._values.append(self._function(*self._inputs[:-1]))

    def _pack(self, pack: Callable[[torch.Tensor], Any], x: torch.Tensor) -> Any:
        """What torch calls to save a tensor. Gives what pack_hook returned, with another tensor of
        the same memory for the very one that it was given: with that, torch's graph would hold
        itself, and never be freed."""
        digest, before = _digest(x), self._files()
        held = pack(x)
        after = self._files()
        is_new = bool(after.keys() - before.keys())
        if x.numel() < self._threshold:
            self._counts["small"] += is_new
        else:
            self._counts["again"] += not is_new and after != before
            self._large.add(digest)
        self._counts["changed"] += _digest(x) != digest
        return tree_map(lambda each: x.detach() if each is x else each, held)

    def _backward(self, at: int = -1) -> None:
        pairs = zip(self._scenario.leaves, self._inputs, strict=True)
        asked = [tensor for leaf, tensor in pairs if leaf.kind == "weight"]
        keep = self._scenario.variation == AGAIN and not self._facts.gradients
        results = run_engine(self._values[at], self._inputs[-1], asked, None, keep=keep)
        gradients = tuple(None if each is None else as_sent(each) for each in results)
        self._facts = replace(self._facts, gradients=(*self._facts.gradients, gradients))

    def _empty(self) -> None:
        """Overwrites all files, which keep their size as they may be mapped to memory, and counts
        the tensors that still have the numbers of large ones, but for inputs and values. Where a
        file cannot be written, nothing is told."""
        with contextlib.suppress(OSError):
            for path, (size, _) in self._files().items():
                with open(path, "r+b") as file:
                    file.write(b"\xff" * size)
            gc.collect()
            own = {id(each) for each in (*self._inputs, *self._values)}
            self._counts["kept"] = sum(
                self._is_large(each) for each in gc.get_objects() if id(each) not in own
            )

    def _is_large(self, x: Any) -> bool:
        with contextlib.suppress(Exception):
            is_tensor = issubclass(type(x), torch.Tensor)
            return is_tensor and x.numel() >= self._threshold and _digest(x) in self._large
        return False

    def _drop(self, count: int | None = None) -> None:
        """Lets the oldest graphs go, or all. What is in a circle is gone, too, before files are
        looked at."""
        del self._values[:count]
        if self._files():
            gc.collect()

    def _files(self) -> dict[str, tuple[int, int]]:
        """The files in the folder by their paths: size and time of the last change."""
        files = {}
        for folder, inner, names in os.walk(self._folder):
            if folder.count(os.sep) > MAX_DEPTH:
                inner.clear()
            for path in (os.path.join(folder, name) for name in names):
                with contextlib.suppress(OSError):
                    status = os.lstat(path)
                    files[path] = status.st_size, status.st_mtime_ns
        return files


def _digest(x: torch.Tensor) -> bytes:
    return hashlib.blake2b(x.detach().cpu().numpy().tobytes()).digest()


@contextlib.contextmanager
def _other_process() -> Iterator[None]:
    """For as long, this process has another number."""
    own = os.getpid
    os.getpid = lambda: own() + 1
    try:
        yield
    finally:
        os.getpid = own
