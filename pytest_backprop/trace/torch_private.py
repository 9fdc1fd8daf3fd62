"""Private names of torch: all that the package uses, each with what it is for. No other module has
one. Each is taken before a student's code can replace it."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map as tree_map


def _at(path: str) -> Any:
    """What torch has there."""
    return attrgetter(path)(torch)


# -- storages: when each dies. Taking `torch.Tensor` for its storage would not tell, see `lifetimes`

address_of: Callable[[torch.UntypedStorage], int] = attrgetter("_cdata")
"""Tells storages apart."""
weak_ref: Callable[[torch.UntypedStorage], Any] = _at("UntypedStorage._weak_ref")
"""A weak count of a storage, which keeps its address from being used again."""
expired: Callable[[Any], bool] = _at("UntypedStorage._expired")
"""Whether the storage of a weak count is gone."""
COMPOSITE: Any = _at("_C.DispatchKey.CompositeImplicitAutograd")
"""The key of an op's kernel that calls others."""
has_kernel: Callable[[str, Any], bool] = _at("_C._dispatch_has_kernel_for_dispatch_key")
WeakTensor: Any = _at("_C._WeakTensorRef")
"""A weak count of a tensor."""
free_weak_ref: Callable[[Any], None] = _at("UntypedStorage._free_weak_ref")
"""Gives a weak count back."""

# -- ops: their schemas, and who runs them

OpOverload = torch._ops.OpOverload
OpOverloadPacket = torch._ops.OpOverloadPacket
schema: Callable[[Any], Any] = attrgetter("_schema")
"""The arguments of an overload, and which of them it writes to."""
packet_of: Callable[[Any], Any] = attrgetter("_overloadpacket")
"""All overloads of an op, of which torch chooses by the arguments."""
current_graph_task_id: Callable[[], int] = _at("_C._current_graph_task_id")
"""Which run of the engine an op belongs to, -1 for none: an op of the engine's is not the
student's."""
run_backward: Callable[..., Any] = _at("autograd.Variable._execution_engine.run_backward")
"""The engine itself. `torch.autograd.grad` would count as the student's call."""
batch_of: Callable[[torch.Tensor], torch.Tensor] = _at("_C._functorch.get_unwrapped")
"""What a tensor inside `torch.vmap` is at all points: that is what the engine sees."""
batch_dim: Callable[[torch.Tensor], int] = _at("_C._functorch.maybe_get_bdim")
"""Which dimension of that the points are; -1 where it is the same at all."""

decompositions_of: Callable[[list[Any]], dict[Any, Callable[..., Any]]] = _at(
    "_decomp.get_decompositions"
)
"""Of fused kernels what runs the ops of which they are made."""


class DispatchMode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A mode that sees ops, without torch's compiler: torch would wrap the handler and import that,
    1.4 s, on the first op."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False


# -- who is asked: the student's classes and modes, or torch alone

EnableTorchFunction: Any = _at("_C._EnableTorchFunction")
"""The student's code runs with what `DisableTorchFunctionSubclass` takes away."""
DisableTorchFunction: Any = _at("_C.DisableTorchFunction")
DisableTorchFunctionSubclass: Any = _at("_C.DisableTorchFunctionSubclass")
"""What the grader asks of a tensor is answered by torch, not by a class of the student's."""
DisableTorchDispatch: Any = _at("_C._DisableTorchDispatch")
"""The grader's own looks at numbers are no ops of the student's."""
is_torch_function_all_disabled: Callable[[], bool] = _at("_C._is_torch_function_all_disabled")
"""Whether the student's code switched off what watches torch functions."""

# -- hooks

top_saved_tensors_hooks: Callable[[bool], Any] = _at(
    "_C._autograd._top_saved_tensors_default_hooks"
)
"""The hooks in force: whether the student's code put others above the grader's."""


def has_hooks(leaf: torch.Tensor) -> bool:
    """Whether hooks of a tensor are left behind."""
    hooks: Any = leaf._backward_hooks or leaf._post_accumulate_grad_hooks
    return bool(hooks)


@contextlib.contextmanager
def hooks_kept() -> Iterator[None]:
    """Inside, `torch.vmap` and `torch.func`, which want no hooks of saved tensors, leave those that
    are there, and do not refuse."""
    autograd: Any = torch._C._autograd
    disable = autograd._saved_tensors_hooks_disable
    autograd._saved_tensors_hooks_disable = lambda message, *_: disable(message, False)
    try:
        yield
    finally:
        autograd._saved_tensors_hooks_disable = disable


# -- what differentiates unseen: functions that the guard is put before


def _places(*paths: str) -> tuple[tuple[Any, str], ...]:
    parts = [path.rpartition(".") for path in paths]
    return tuple((_at(owner), name) for owner, _, name in parts)


DUAL_LEVELS = _places("_C._enter_dual_level", "_C._functorch._jvp_increment_nesting")
"""Without a level no number is dual; on a thread no op of those that make one is seen."""
PROGRAMS = _places(
    "_C._create_function_from_graph",
    "_C._jit_differentiate",
    "_C.parse_ir",
    "_C.import_ir_module",
    "_C.import_ir_module_from_buffer",
    "_C.CompilationUnit.define",
)
"""Give torch's compiler a program, as text or as a graph."""
COMPILERS = _places("_C.CompilationUnit.__init__")
"""The same, by a constructor that reads names from the frame of its caller."""


def without_compiler(function: Callable[..., Any]) -> None:
    """Has a method of torch's run without torch's compiler, whose import takes seconds."""
    vars(function).setdefault("__dynamo_disable", function)


# of `allow_mutation_on_saved_tensors`, in which the grader differentiates what is written to
without_compiler(inspect.unwrap(_at("autograd.graph._CloneArgBeforeMutateMode.__torch_dispatch__")))
