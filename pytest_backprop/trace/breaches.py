"""What a pass does that a manual pass does not do."""

from __future__ import annotations

from typing import Any

from torch import is_grad_enabled

from ..messages import phrase, say
from ..model import Breach, Context, Span
from .stack import Reading
from .torch_private import (
    current_graph_task_id,
    is_torch_function_all_disabled,
    top_saved_tensors_hooks,
)

TRANSFORM = phrase(
    "`torch.func`, `torch.autograd.functional`, a library that differentiates, or code that a program wrote"
)
FOREIGN = phrase("the op comes from code that is not in the submission: {name}, compiled as {file}")
OUT_OF_SIGHT = phrase("it works where nothing watches it: it switches the watch off")
MAX_NAME = 60
FORWARD_AD = (
    "aten::_make_dual",
    "aten::_unpack_dual",
    "aten::_fw_primal",
    # what is left of a tangent where torch has taken the dual number apart
    "aten::_new_zeros_with_same_feature_meta",
    "aten::_efficientzerotensor",
)


class Breaches:
    """Those of one run, each kind and detail once, at its first site."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Breach] = {}
        self.engine_task: int | None = None
        """The run of torch's engine that the exercise itself started."""
        self.lets_engine = False
        """Whether the student's code may call torch's engine, and look at its graph."""
        self.phased = False
        """Whether ops outside of the student's code are the grader's own."""
        self.hooks: tuple[Any, Any] | None = None
        """What sees a graph of autograd's save and read tensors, while none is to be made."""
        self._unwatched: Breach | None = None

    @property
    def found(self) -> tuple[Breach, ...]:
        """In the order in which they were met. Where the engine was seen, it does not matter what was not."""
        found = tuple(self._found.values())
        if self._unwatched is None or any(breach.kind == "autograd" for breach in found):
            return found
        return (*found, self._unwatched)

    def allow_engine(self, task: int) -> None:
        """The engine may run for this task, which the exercise itself started; any other is a breach."""
        self.engine_task = task

    def add(self, kind: str, detail: str, site: Span | None) -> None:
        """Notes one."""
        self._found.setdefault((kind, detail), Breach(kind, detail, site))

    def add_engine(self, name: str, site: Span | None) -> None:
        """Notes a call by which torch itself differentiates, or shows its graph, where that is one."""
        if not self.lets_engine:
            self.add("autograd", name, site)

    def context_of(self, target: str, reading: Reading) -> Context:
        """Who runs an op that is about to run, noted if it is not the student."""
        context = reading.context
        task = current_graph_task_id()
        if (
            self.phased
            and not reading.path
            and context == "student"
            and task in (-1, self.engine_task)
        ):
            return "grader"
        in_engine = task not in (-1, self.engine_task)
        if in_engine and not self.lets_engine:
            context = "autograd"
            self.add("autograd", say("the autograd engine ran inside the pass"), reading.site)
        elif context == "transform":
            self.add("transform", say(TRANSFORM), reading.site)
        elif reading.foreign is not None:
            self._add_foreign(reading)
        elif in_engine:
            context = "engine"
        if is_torch_function_all_disabled():  # only torch._C.DisableTorchFunction does that
            self.add("hidden-work", say("it switches off what watches torch functions"),
                     reading.site)  # fmt: skip
        watched = self.hooks is not None and is_grad_enabled() and context != "transform"
        if watched and top_saved_tensors_hooks(False) != self.hooks:
            self._unwatched = self._unwatched or Breach(
                "hidden-work", say(OUT_OF_SIGHT), reading.site
            )
        if target in FORWARD_AD and context != "transform":
            self.add("forward-ad", target, reading.site)
        return context

    def _add_foreign(self, reading: Reading) -> None:
        """Once: whoever writes code while it runs can give it any number of names."""
        if reading.foreign is None or any(b.kind == "foreign-code" for b in self.found):
            return
        file = reading.foreign.co_filename.replace("\\", "/").rpartition("/")[2]
        names = (reading.foreign.co_name, file)
        name, file = (n[:MAX_NAME].encode("utf-8", "replace").decode() for n in names)
        self.add("foreign-code", say(FOREIGN, name=name, file=file), reading.site)
