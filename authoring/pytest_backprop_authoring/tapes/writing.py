"""An autograd of one's own as Python: the answer key of a task."""

from __future__ import annotations

import ast
from typing import Final

from pytest_backprop.exercises.functions.typed_task import MatrixVariant

from .operators import SUM_TO, TURNED, VECTORS, TapeOperator
from .reading import TapeProgram, program_of

VARIABLE: Final = """\
class Variable:
    count = 0

    def __init__(self, value, name=None):
        Variable.count += 1
        self.value = value
        self.name = name or f"v{Variable.count}\""""
TAPE: Final = """\
class TapeEntry(NamedTuple):
    inputs: list  # names of Variables
    outputs: list
    propagate: Callable  # from dL_doutputs to dL_dinputs


gradient_tape = []


def reset_tape():
    gradient_tape.clear()"""
GRAD: Final = """\
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(dL_doutput is None for dL_doutput in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    return [dL_d.get(desired.name) for desired in desired_results]"""


def class_text(variant: MatrixVariant, explain: bool = False) -> str:
    """Variables, a tape and `grad`, which earn every point; with `explain` a line for each gradient. Raises
    UsageProblem where an operator is not known."""
    made = program_of(variant)
    parts = [variable_text(made), TAPE, *operator_texts(made, explain), GRAD]
    operator = operator_of(variant)
    if operator:
        made.function.name = operator
        parts.append(ast.unparse(made.function))
    return "\n\n\n".join(parts)


def operator_of(variant: MatrixVariant) -> str:
    """The name of the function that is asked for, if one is."""
    return variant.expression if variant.expression.isidentifier() else ""


def variable_text(made: TapeProgram) -> str:
    """The class, whose operators stand below it."""
    lines = [VARIABLE]
    for name, operator in made.operators.items():
        given = ", ".join(part.partition("=")[0] for part in operator.parameters.split(", "))
        lines += [
            "",
            f"    def {name}({operator.parameters}):",
            f"        return {function_name(name)}({given})",
        ]
        lines += ["", f"    {turned} = {name}"] if (turned := _turned(made, name)) else []
    if made.transposed:
        lines += ["", "    @property", "    def T(self):", "        return self.t()"]
    return "\n".join(lines)


def _turned(made: TapeProgram, name: str) -> str:
    return next((turned for turned in made.turned if TURNED[turned] == name), "")


def function_name(method: str) -> str:
    """What the function of a method is called."""
    return f"operator_{method.strip('_')}"


def operator_texts(made: TapeProgram, explain: bool) -> list[str]:
    """A function for each operator."""
    return [
        "\n".join(_operator(made, name, operator, explain))
        for name, operator in made.operators.items()
    ]


def _operator(made: TapeProgram, name: str, operator: TapeOperator, explain: bool) -> list[str]:
    head = f"def {function_name(name)}({operator.parameters}):"
    if operator.body:
        return [head, *(f"    {line}" for line in operator.body)]
    lines = [head]
    if name == SUM_TO:
        lines += ["    if list(self.value.shape) == list(shape):", "        return self"]
    if name == "__matmul__" and made.vectors:
        lines += [f"    {line}" for line in VECTORS]
    if name in made.with_number:
        number = operator.value.replace("rhs.value", "rhs")
        lines += ["    if not isinstance(rhs, Variable):  # a number, which has no gradient",
                  *(f"    {line}" if line else "" for line in _recorded(number, ["self"], [operator.of_number], explain))]  # fmt: skip
    operands = ["self", "rhs"][: len(operator.gradients)]
    gradients = list(operator.gradients)
    if made.broadcast and operator.of_number:
        gradients = [
            f"{_tight(gradient)}.sum_to({operand}.value.shape)"
            for gradient, operand in zip(gradients, operands, strict=True)
        ]
    return [*lines, *_recorded(operator.value, operands, gradients, explain)]


def _tight(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def _recorded(value: str, operands: list[str], gradients: list[str], explain: bool) -> list[str]:
    names = ", ".join(f"{operand}.name" for operand in operands)
    lines = [
        f"    r = Variable({value})",
        "",
        "    def propagate(dL_doutputs):",
        "        (dL_dr,) = dL_doutputs",
    ]
    if explain:
        told = [f"dL_d{operand}" for operand in operands]
        lines += [f"        {name} = {text}" for name, text in zip(told, gradients, strict=True)]
        gradients = told
    return [
        *lines, f"        return [{', '.join(gradients)}]", "",
        f"    gradient_tape.append(TapeEntry([{names}], [r.name], propagate))", "    return r",
    ]  # fmt: skip
