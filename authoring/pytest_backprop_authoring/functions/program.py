"""A Function as statements: what forward computes and saves, what backward computes and for which inputs."""

from __future__ import annotations

from typing import NamedTuple

from pytest_backprop.exercises.functions.typed_task import MatrixVariant

from .derivatives import Derivation
from .graph import VIEWS, TensorGraph
from .reading import GRAD_OUTPUT, read


class FunctionProgram(NamedTuple):
    """`forward` and `backward` are nodes to compute, in order; `saved` are those that backward reads of
    forward. `gradients` has the node of each input's gradient, by name, and `wanted` the inputs for whose
    gradients a node of backward is needed."""

    graph: TensorGraph
    arguments: tuple[str, ...]
    asked: tuple[str, ...]
    leaves: dict[str, int]
    result: int
    grad_output: int
    names: dict[int, str]
    dims: dict[str, str]
    forward: tuple[int, ...]
    saved: tuple[int, ...]
    backward: tuple[int, ...]
    gradients: dict[str, int]
    wanted: dict[int, frozenset[str]]

    def places(self, names: frozenset[str]) -> list[int]:
        """Those of some of the inputs that have gradients, in their order."""
        return [at for at, name in enumerate(self.asked) if name in names]


def program(variant: MatrixVariant) -> FunctionProgram:
    """The Function of a task, which saves what its backward would compute anew, but for the second derivative:
    that has to be seen to depend on inputs, and so only these and the output are saved then.

    Raises UsageProblem where there is no derivation.
    """
    task = read(variant)
    graph = task.graph
    grad_output = graph.leaf(GRAD_OUTPUT, graph.tried(task.result) * 0 + 1)
    asked = [task.leaves[name] for name in task.asked]
    flows = Derivation(graph, task.result, grad_output, asked)
    gradients = {name: flows.gradients[task.leaves[name]] for name in task.asked}
    order = getattr(variant.task, "order", 1)
    return assembled(
        FunctionProgram(
            graph, task.arguments, task.asked, task.leaves, task.result, grad_output, task.names,
            task.dims, (), (), (), gradients, {},
        ),
        {*task.leaves.values(), task.result} if order == 2 else None,
    )  # fmt: skip


def assembled(made: FunctionProgram, savable: set[int] | None = None) -> FunctionProgram:
    """The same with its statements; `savable` are the nodes that may be saved, any where it is None."""
    graph = made.graph
    ahead = graph.above([made.result])
    leaves = set(made.leaves.values())

    def is_saved(node: int) -> bool:
        if node in leaves:
            return True
        return (
            node in ahead
            and not graph.is_number(node)
            and graph.nodes[node].kind not in VIEWS
            and (savable is None or node in savable)
        )

    roots = list(made.gradients.values())
    back = graph.above(roots, is_saved)
    saved = [node for node in back if is_saved(node)]
    computed = [node for node in back if node not in saved and graph.nodes[node].operands]
    wanted = {
        node: frozenset(
            name for name, root in made.gradients.items() if node in graph.above([root], is_saved)
        )
        for node in computed
    }
    return made._replace(
        forward=tuple(node for node in ahead if graph.nodes[node].operands),
        saved=tuple(saved),
        backward=tuple(
            sorted(computed, key=lambda n: (-len(wanted[n]), made.places(wanted[n]), n))
        ),
        wanted=wanted,
    )
