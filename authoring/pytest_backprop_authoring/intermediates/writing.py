"""The answer key: the function of a task, taken apart by its text, with `retain_grad` behind each intermediate."""

from __future__ import annotations

import ast
from typing import Any

from pytest_backprop.errors import UsageProblem
from pytest_backprop.messages import say

from ..functions.reading import definition

NAME = "gradients"


def class_text(variant: Any, explain: bool = False) -> str:
    """The function that earns every point; with `explain`, what each part is for. Raises UsageProblem for a task
    whose function does not end with its one `return`."""
    task = variant.task
    function = definition(task)
    *body, last = function.body
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    if not isinstance(last, ast.Return) or last.value is None or len(returns) > 1:
        raise UsageProblem(
            say(
                "no answer key can be written of {name}: it does not end with its one return",
                name=task.name,
            ),
            say("write the task as assignments and one return at the end"),
        )
    lines = [f"def {NAME}({', '.join(leaf.name for leaf in task.leaves)}):"]
    remarks = iter(
        [say("an intermediate is no leaf: without this its gradient is dropped")] if explain else []
    )
    for statement in body:
        lines += [f"    {line}" for line in ast.unparse(statement).splitlines()]
        target = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
        if target in task.probed:
            remark = next(remarks, "")
            lines.append(f"    {target}.retain_grad()" + (f"  # {remark}" if remark else ""))
    if not isinstance(last.value, ast.Name):
        lines.append(f"    loss = {ast.unparse(last.value)}")
    loss = last.value.id if isinstance(last.value, ast.Name) else "loss"
    lines.append(f"    {loss}.backward()")
    entries = ", ".join(f'"{name}": {name}.grad' for name in task.probed)
    lines.append(f"    return {{{entries}}}")
    return "\n".join(lines)
