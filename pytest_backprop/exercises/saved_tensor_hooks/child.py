"""The child's half: the model of a task under the student's hooks, which are watched. Student code
runs here, and may write files in the folder that this process was given."""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import io
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import torch
from msgspec.structs import replace
from torch.autograd.graph import saved_tensors_hooks

from ...errors import SubmissionProblem
from ...messages import say
from ...model import Evidence, Scenario, Unit
from ...submission import slice_names
from ...trace.lifetimes import StorageWatch
from ...trace.torch_private import DispatchMode
from ...trace.watch import run_engine
from ..loading import Loaded, check_signature, load_slice, task_functions
from ..observation import fault_of
from . import PACK, PASS_NAMES as PASS_NAMES, UNPACK
from .facts import AGAIN, DROPPED, EMPTIED, GRAPHS, Bits, HookFacts
from .tensors import arguments, bits, bytes_of, drawn

WARM_UP = None
GRAPH_COUNT = {GRAPHS: 3, EMPTIED: 4}
"""In the run with empty files there are several: hooks may keep some of their tensors in memory."""
MAX_LISTED, MAX_DEPTH = 2_000, 20
"""Of the files of a folder, and of folders in folders."""
COPIES = (torch.ops.aten.clone.default, torch.ops.aten._to_copy.default)

Hooks = tuple[Callable[..., Any], Callable[..., Any]]


def _warm() -> None:
    """Does once what saving and loading set up at their first use."""
    saved = io.BytesIO()
    torch.save(torch.ones(2), saved)
    saved.seek(0)
    torch.load(saved)
    x = torch.ones(2, requires_grad=True)
    with saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        value = x * x
    run_engine(value, torch.ones(2), [x], None)


_warm()


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> HookTarget:
    """The hooks of a submission, which is loaded in a new folder. Raises SubmissionProblem."""
    # as others may enter the machine's own temporary folder, so they may this one
    folder = os.path.join(os.environ.get("TMPDIR", "/tmp"), os.urandom(8).hex())
    os.mkdir(folder)
    os.chdir(folder)
    tempfile.tempdir = folder
    # a file with a name, so that the grader sees it; it goes when it is closed, too
    tempfile.TemporaryFile = tempfile.NamedTemporaryFile  # type: ignore[assignment]
    _ignore_refused_modes(folder)
    chosen = slice_names(units, None, (PACK, UNPACK))

    def built(_: type, names: dict[str, Any], __: list[str]) -> Hooks:
        for name, span, parameter in (
            (PACK, chosen.manual_pass, "x"),
            (UNPACK, chosen.forward, "packed"),
        ):
            hook = names[name]
            if not callable(hook):
                text = say(
                    "{name} is a {type}, not a function", name=name, type=type(hook).__name__
                )
                way_out = say("define it with def, and take its decorator off")
                raise SubmissionProblem("signature", text, way_out, span)
            check_signature(hook, name, (parameter,), span)
        return names[PACK], names[UNPACK]

    return HookTarget(lambda: load_slice(chosen, False, built), scenario, folder)


def _ignore_refused_modes(folder: str) -> None:
    """From here on `os.chmod` raises nothing for what is in the folder. The sandbox, which cannot
    tell folders apart, refuses modes for all files; nobody else may enter what is around the
    folder."""
    set_mode = os.chmod

    def chmod(path: Any, mode: int, **options: Any) -> None:
        try:
            set_mode(path, mode, **options)
        except PermissionError:
            is_open = isinstance(path, int)
            if not is_open and not os.path.realpath(os.fsdecode(path)).startswith(folder + os.sep):
                raise

    os.chmod, os.fchmod = chmod, chmod  # type: ignore[assignment]


class Packed(NamedTuple):
    """What pack_hook returned for a tensor, what the tensor was like, and the hook that takes it
    back."""

    held: Any
    dtype: torch.dtype
    shape: torch.Size
    digest: bytes
    unpack: Callable[[Any], Any]


class WatchedHooks(DispatchMode):  # type: ignore[no-untyped-call]
    """The student's `hooks`, and what is seen of each tensor that goes through them. As a mode it
    sees the copies that pack_hook makes. It holds no tensor, only what pack_hook returned."""

    def __init__(
        self, hooks: Hooks, threshold: int, folder: str, inputs: Sequence[torch.Tensor]
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.hooks = hooks
        self.emptied = False
        """Whether all files were emptied."""
        self._threshold = threshold
        self._folder = folder
        self._unpacked = ""
        self._seen: Counter[str] = Counter()
        """Counts that `HookFacts` has, by its names."""
        self._storages = StorageWatch()
        self._small: set[int] = set()
        for tensor in inputs:
            self._storages.number(tensor)

    def pack(self, x: torch.Tensor) -> Packed:
        """What torch calls to save a tensor."""
        pack, unpack = self.hooks
        digest, before = _digest(x), self.files()
        self._watch(x)
        with self:
            held = pack(x)
        after = self.files()
        is_new = bool(after.keys() - before.keys())
        if x.numel() < self._threshold:
            self._seen["small"] += is_new
        else:
            self._seen["again"] += not is_new and after != before
        self._seen["changed"] += _digest(x) != digest
        return Packed(_without(x, held), x.dtype, x.shape, digest, unpack)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if func in COPIES:
            self._watch(result)
        return result

    def unpack(self, packed: Packed) -> Any:
        """What torch calls to have the tensor back."""
        if self.emptied:
            return self._from_empty_files(packed)
        x = packed.unpack(packed.held)
        self._unpacked = self._unpacked or _change(x, packed)
        return x

    def _from_empty_files(self, packed: Packed) -> Any:
        """Zeros where nothing comes back, so that torch goes on to ask for the other tensors."""
        try:
            x = packed.unpack(packed.held)
            is_same = not _change(x, packed)
        except Exception:
            is_same = False
        if packed.shape.numel() >= self._threshold:
            self._seen["from_memory" if is_same else "lost"] += 1
        return x if is_same else torch.zeros(packed.shape, dtype=packed.dtype)

    def facts(self, facts: HookFacts) -> HookFacts:
        """The facts of the run with what was seen here."""
        names = ("small", "again", "changed", "from_memory", "lost")
        counts = {name: self._seen[name] for name in names}
        return replace(facts, unpacked=self._unpacked, **counts)

    def storages(self, values: Sequence[torch.Tensor]) -> tuple[int, int]:
        """How many storages large tensors had, but for those of small ones and of values, and how
        many of them are alive."""
        gc.collect()
        self._storages.poll(1)
        others = self._small.union(self._storages.find(value) for value in values)
        lives = [life for life in self._storages.lives() if life.storage not in others]
        return len(lives), sum(life.dead_by is None for life in lives)

    def files(self) -> dict[int, tuple[int, int]]:
        """The files in the folder by their numbers: size and time of the last change."""
        seen: dict[int, tuple[int, int]] = {}
        for folder, inner, names in os.walk(self._folder):
            if folder.count(os.sep) - self._folder.count(os.sep) > MAX_DEPTH:
                inner.clear()
            for name in names[:MAX_LISTED]:
                with contextlib.suppress(OSError):
                    status = os.lstat(os.path.join(folder, name))
                    seen[status.st_ino] = status.st_size, status.st_mtime_ns
        return seen

    def _watch(self, x: torch.Tensor) -> None:
        number, is_new = self._storages.number(x)
        if x.numel() < self._threshold:
            self._small.add(number)
        elif is_new:
            self._storages.born(number, 0)


def _change(x: Any, packed: Packed) -> str:
    """In what an unpacked tensor is another than was packed; nothing if it is the same."""
    if not issubclass(type(x), torch.Tensor):  # isinstance asks the object, which may lie
        return "type"
    if x.dtype != packed.dtype:
        return "dtype"
    if x.shape != packed.shape:
        return "shape"
    return "" if _digest(x) == packed.digest else "numbers"


def _without(x: torch.Tensor, held: Any) -> Any:
    """What pack_hook returned, with another tensor of the same memory for the very one that it was
    given: with that, torch's graph would hold itself, and never be freed."""
    if held is x:
        return x.detach()
    if type(held) in (tuple, list) and any(each is x for each in held):
        return type(held)(_without(x, each) for each in held)
    if type(held) is dict and any(each is x for each in held.values()):
        return {key: _without(x, each) for key, each in held.items()}
    return held


def _digest(x: torch.Tensor) -> bytes:
    return hashlib.blake2b(bytes_of(x)).digest()


class HookTarget:
    """The student's hooks, and the model of a task with its tensors."""

    def __init__(self, load: Callable[[], Loaded[Hooks]], scenario: Scenario, folder: str) -> None:
        self._load = load
        self._loaded = load()
        self._scenario = scenario
        self._folder = folder
        self._facts = HookFacts()
        (self._function,) = task_functions(scenario.expression).values()
        seed, threshold = map(int, scenario.inputs[0])
        self._inputs = drawn(scenario.leaves, seed)
        self._hooks = WatchedHooks(self._loaded.built, threshold, folder, self._inputs)
        self._values: list[Any] = []

    def trial(self, stop: Callable[[], None]) -> Evidence:
        """Runs the scenario's variation, and stops where the grader looks at the files."""
        variation = self._scenario.variation
        for at in range(GRAPH_COUNT.get(variation, 1)):
            is_reloaded = variation == GRAPHS and at == 1
            self._attempt("pack", functools.partial(self._forward, is_reloaded))
        if self._facts.fault is None:
            storages, alive = self._hooks.storages(self._values)
            self._facts = replace(self._facts, storages=storages, alive=alive)
        stop()
        if variation == GRAPHS:
            self._drop(1)
            stop()
        self._hooks.emptied = variation == EMPTIED
        if variation != DROPPED:
            self._attempt("unpack", self._backward)
        if variation == AGAIN:
            self._attempt("again", self._backward)
        while variation == EMPTIED and len(self._values) > 1:
            self._values.pop()
            self._attempt("unpack", self._backward)
        self._drop()
        if variation != EMPTIED:
            stop()
        chosen = self._loaded.chosen
        return Evidence(
            "",
            chosen.pass_name,
            "float32",
            notes=tuple(self._loaded.notes),
            pass_site=chosen.manual_pass,
            forward_site=chosen.forward,
            facts=msgspec.msgpack.encode(self._hooks.facts(self._facts)),
        )

    def _attempt(self, step: str, call: Callable[[], None]) -> None:
        """What the student's code raises becomes a fact, and ends the run."""
        if self._facts.fault is not None:
            return
        try:
            call()
        except BaseException as error:
            fault = fault_of(error)
            message = fault.message.replace(self._folder + os.sep, "")
            self._facts = replace(self._facts, fault=replace(fault, message=message), step=step)

    def _forward(self, is_reloaded: bool) -> None:
        """One more graph; with the submission loaded once more, as in another process of the same
        user's."""
        self._hooks.hooks = self._load().built if is_reloaded else self._loaded.built
        with saved_tensors_hooks(self._hooks.pack, self._hooks.unpack):
            self._values.append(self._function(*arguments(self._scenario.leaves, self._inputs)))

    def _backward(self) -> None:
        asked = [tensor for tensor in self._inputs if tensor.requires_grad]
        keep = self._scenario.variation == AGAIN and not self._facts.gradients
        results = run_engine(self._values[-1], self._inputs[-1], asked, None, keep=keep)
        gradients: tuple[Bits | None, ...] = tuple(None if g is None else bits(g) for g in results)
        self._facts = replace(self._facts, gradients=(*self._facts.gradients, gradients))

    def _drop(self, count: int | None = None) -> None:
        """Lets the oldest graphs go, or all. What is in a circle is gone, too, before files are
        looked at."""
        del self._values[:count]
        if self._hooks.files():
            gc.collect()
