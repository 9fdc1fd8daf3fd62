"""What a pass does that a manual pass does not do."""

from __future__ import annotations

from types import CodeType
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
    "`torch.func`, `torch.autograd.functional`, a library that differentiates, "
    "or code that a program wrote"
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
        self._by_kind: dict[tuple[str, str], Breach] = {}
        self.engine_task: int | None = None
        """The run of torch's engine that the exercise itself started; any other is a breach."""
        self.lets_engine = False
        """Whether the student's code may call torch's engine, and look at its graph."""
        self.phased = False
        """Whether ops outside of the student's code are the grader's own."""
        self.hooks: tuple[Any, Any] | None = None
        """What sees a graph of autograd's save and read tensors, while none is to be made."""
        self._unwatched: Breach | None = None

    @property
    def all(self) -> tuple[Breach, ...]:
        """In the order in which they were met. Where the engine was seen, it does not matter what
        was not."""
        seen = tuple(self._by_kind.values())
        if self._unwatched is None or any(breach.kind == "autograd" for breach in seen):
            return seen
        return (*seen, self._unwatched)

    def add(self, kind: str, detail: str, site: Span | None) -> None:
        """Notes one."""
        self._by_kind.setdefault((kind, detail), Breach(kind, detail, site))

    def add_engine(self, name: str, site: Span | None) -> None:
        """Notes a call by which torch itself differentiates, or shows its graph, where that is
        one."""
        if not self.lets_engine:
            self.add("autograd", name, site)

    def context_of(self, target: str, reading: Reading) -> Context:
        """Who runs an op that is about to run, noted if it is not the student."""
        context = reading.context
        in_engine = current_graph_task_id() not in (-1, self.engine_task)
        if self.phased and not reading.path and context == "student" and not in_engine:
            return "grader"
        if in_engine and not self.lets_engine:
            context = "autograd"
            self.add("autograd", say("the autograd engine ran inside the pass"), reading.site)
        elif context == "transform":
            self.add("transform", say(TRANSFORM), reading.site)
        elif reading.foreign is not None:
            self._add_foreign(reading.foreign, reading.site)
        elif in_engine:
            context = "engine"
        if is_torch_function_all_disabled():  # only torch._C.DisableTorchFunction does that
            switched_off = say("it switches off what watches torch functions")
            self.add("hidden-work", switched_off, reading.site)
        watched = self.hooks is not None and is_grad_enabled() and context != "transform"
        if watched and top_saved_tensors_hooks(False) != self.hooks:
            self._unwatched = self._unwatched or Breach(
                "hidden-work", say(OUT_OF_SIGHT), reading.site
            )
        if target in FORWARD_AD and context != "transform":
            self.add("forward-ad", target, reading.site)
        return context

    def _add_foreign(self, code: CodeType, site: Span | None) -> None:
        """Once: whoever writes code while it runs can give it any number of names."""
        if not any(kind == "foreign-code" for kind, _ in self._by_kind):
            names = code.co_name, code.co_filename.replace("\\", "/").rpartition("/")[2]
            name, file = (n[:MAX_NAME].encode("utf-8", "replace").decode() for n in names)
            self.add("foreign-code", say(FOREIGN, name=name, file=file), site)
