"""What a student starts a tape from: the task, Variables without operators, and a cell that holds their gradients
against torch's."""

from __future__ import annotations

import ast
from typing import Final

from pytest_backprop.exercises.functions.adjoint_task import AdjointTask
from pytest_backprop.exercises.functions.typed_task import MatrixVariant
from pytest_backprop.messages import say

from ..cells import Cell, code, markdown, unwritten
from ..functions import function_text as plain_function_text
from ..functions.reading import definition
from .operators import SIMPLE
from .reading import TapeProgram, methods_of, program_of
from .writing import GRAD, TAPE, VARIABLE, operator_of, operator_texts, variable_text

IMPORTS: Final = "from typing import Callable, NamedTuple\n\nimport torch"
GIVEN: Final = ("__mul__", "__add__", "sum", "expand")
"""The operators of the course's note."""


def template_cells(variant: MatrixVariant) -> tuple[list[Cell], list[Cell]]:
    """The cells before the one that grades the notebook; there are none after it."""
    imports = f"import math\n\n{IMPORTS}\nimport torch.nn.functional as F"
    cells = [markdown(_told(variant)), code(imports), code(function_text(variant))]
    operator = operator_of(variant)
    made = program_of(variant)
    if operator:
        cells += [markdown("## " + say("The autograd, as it is given")), code(_given(made)),
                  markdown(_your_operator(operator)), code(_unwritten_function(variant, operator))]  # fmt: skip
    else:
        cells += [markdown("## " + say("Your autograd")), code(_skeleton(variant))]
    return [*cells, markdown(_own_check_text()), code(_own_check(variant, made))], []


def function_text(variant: MatrixVariant) -> str:
    """The task's function without annotations, which are told as remarks."""
    return plain_function_text(variant)


def _order(variant: MatrixVariant) -> int:
    task = variant.task
    assert isinstance(task, AdjointTask)
    return task.order


def _told(variant: MatrixVariant) -> str:
    operator = operator_of(variant)
    if operator:
        steps = [
            say("Write `{operator}`, which takes Variables and returns the Variable of `{name}` below.",
                operator=operator, name=variant.name),
            say("Where it calculates on `.value`, it appends an entry to the tape, whose `propagate` returns a gradient "
                "for each input."),
        ]  # fmt: skip
    else:
        steps = [
            say("Write the class `Variable` with its operators, so that `{name}` below can be called with Variables.",
                name=variant.name),
            say("Each operator appends an entry to the tape, whose `propagate` returns a gradient for each input."),
            say("`grad(L, desired_results)` returns a gradient for each desired result, and None where nothing flows."),
        ]  # fmt: skip
    steps.append(say("After `reset_tape()` no value is held any more."))
    if _order(variant) == 2:
        steps.append(
            say(
                "Gradients have gradients, so `propagate` calculates with Variables, not with their values."
            )
        )
    lines = ["# " + say("An autograd of your own: variant {name}", name=variant.name), ""]
    return "\n".join([*lines, *(f"{at}. {step}" for at, step in enumerate(steps, 1))])


def _given(made: TapeProgram) -> str:
    """The autograd with the operators of the note alone."""
    note = made._replace(
        operators={
            name: SIMPLE.get(name) or made.operators[name]
            for name in GIVEN
            if name in (*made.operators, *SIMPLE)
        },
        with_number=frozenset(),
        turned=(),
        broadcast=False,
    )
    return "\n\n\n".join([variable_text(note), TAPE, *operator_texts(note, False), GRAD])


def _your_operator(operator: str) -> str:
    return "\n".join([
        "## " + say("Your operator"),
        "",
        say("Fill in `{operator}`; what it needs of other operators you can add above. torch's autograd is not allowed.",
            operator=operator),
    ])  # fmt: skip


def _unwritten_function(variant: MatrixVariant, operator: str) -> str:
    names = ", ".join(leaf.name for leaf in variant.task.leaves)
    return f"def {operator}({names}):\n{unwritten(operator)[4:]}"


def _skeleton(variant: MatrixVariant) -> str:
    function = definition(variant.task)
    methods = dict.fromkeys([*GIVEN[:3], *methods_of(ast.unparse(function))])
    unary = {node.func.attr for node in ast.walk(function) if isinstance(node, ast.Call)
             and isinstance(node.func, ast.Attribute)} | {"sum", "__neg__"}  # fmt: skip
    lines = [VARIABLE]
    for name in methods:
        given = "self" if name in unary else "self, rhs"
        lines += ["", f"    def {name}({given}):", unwritten(name)]
    body = "def grad(L, desired_results):\n    # for entry in reversed(gradient_tape): ..."
    return "\n\n\n".join(["\n".join(lines), TAPE, f"{body}\n{unwritten('grad')[4:]}"])


def _own_check_text() -> str:
    return "\n".join([
        "## " + say("Try it yourself"),
        "",
        say("The next cell holds your gradients against torch's autograd."),
    ])  # fmt: skip


def _own_check(variant: MatrixVariant, made: TapeProgram) -> str:
    """At one point, in float32."""
    task = variant.task
    named = dict.fromkeys(dim for leaf in task.leaves for dim in leaf.dims if isinstance(dim, str))
    sizes = {dim: at for at, dim in enumerate(named, 2)}
    tensors = [leaf for leaf in task.leaves if not leaf.plain]
    lines = ["torch.manual_seed(1)"]
    for leaf in tensors:
        shape = "".join(f"{sizes[dim] if isinstance(dim, str) else dim}, " for dim in leaf.dims)
        lines.append(
            f"{leaf.name} = torch.rand({shape}) + 0.5"
            if shape
            else f"{leaf.name} = torch.rand(()) + 0.5"
        )
    names = ", ".join(leaf.name for leaf in tensors)
    called = operator_of(variant) or task.name
    given = ", ".join("0.3" if leaf.plain else leaf.name for leaf in task.leaves)
    summed = ".sum()" if made.rank else ""
    lines += [
        f"tensors = {{{', '.join(f'{leaf.name!r}: {leaf.name}.requires_grad_()' for leaf in tensors)}}}",
        f"theirs = {task.name}({given}){summed}",
        "theirs = torch.autograd.grad(theirs, list(tensors.values()), create_graph=True, allow_unused=True)",
        "reset_tape()",
        f"{names}{',' if len(tensors) == 1 else ''} = variables = "
        "[Variable(tensor.detach()) for tensor in tensors.values()]",
        f"mine = grad({called}({given}){summed}, variables)",
        "for name, one, other in zip(tensors, mine, theirs):",
        "    print(name, one is other if one is None or other is None else torch.allclose(one.value, other))",
    ]  # fmt: skip
    if _order(variant) == 2:
        lines += [
            "for name, one, other in zip(tensors, mine, theirs):",
            "    if one is not None and other is not None and other.requires_grad:",
            "        again = grad((one * one).sum(), variables)",
            "        right = torch.autograd.grad((other * other).sum(), list(tensors.values()), retain_graph=True, "
            "allow_unused=True)",
            "        print(name, [r is None if m is None else torch.allclose(m.value, r) for m, r in zip(again, right)])",
        ]  # fmt: skip
    return "\n".join(lines)
