"""An operator in two steps that is written as one: composed of others, or with a propagate of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tape_tasks import Aggregate

if TYPE_CHECKING:
    from tape_rendering import Renderer


def aggregate_lines(r: Renderer, made: Aggregate) -> list[str]:
    """The function that the task asks for."""
    inputs = list(made.inputs)
    names = {each: each for each in inputs}
    head = f"def {r.task.operator}({', '.join(inputs)}):"
    if r.style.aggregate == "composed":
        return [
            head,
            f"    t = {made.t.format(**names)}",
            f"    return {made.r.format(t='t', **names)}",
        ]
    values = {each: f"{each}.value" for each in inputs}
    if r.style.aggregate == "t is an output":
        return _with_output(r, made, head, names, values)
    on_values = r.style.working != "propagates Variables"
    lines = [
        head,
        f"    t = {made.t.format(**values)}",
        f"    r = Variable({made.r.format(t='t', **values)})",
    ]
    hidden = r.fault == "captured temporary"
    if hidden:
        lines[1:2] = [lines[1], "    t_v = Variable(t)"]
    many = r.style.recording in (
        "named tuples",
        "tuples",
        "dicts",
        "dataclasses",
        "slotted objects",
        "parallel lists",
    )
    g = r.names.adjoint
    given = names if not on_values else values
    adjoint = f"{g}.value" if r.style.working == "propagates values" else g
    inner = [f"{g}, = {r.names.adjoints}"] if many else []
    t = "t"
    if hidden:
        t = "t_v"
    elif not on_values:
        inner.append(f"again = {made.t.format(**given)}")
        t = "again"
    fill = {**given, "g": adjoint, "t": t, "gt": "dL_dt"}
    inner.append(f"dL_dt = {made.through.format(**fill)}")
    returned = []
    for each in inputs:
        parts = [m[each].format(**fill) for m in (made.direct, made.back) if each in m]
        if r.fault == "lost path" and len(parts) > 1:
            parts = parts[:1]
        text = " + ".join(f"({p})" if p.startswith("-") else p for p in parts)
        returned.append(f"Variable({text})" if r.style.working == "propagates values" else text)
    inner.append(f"return [{', '.join(returned)}]")
    if r.style.recording == "lambdas":
        lines += ["", f"    def propagate({g}):", *(f"        {line}" for line in inner), ""]
        lines += [
            f"    {r.walk.holder}.append(([{', '.join(map(r.walk.elem, inputs))}], {r.walk.elem('r')}, propagate))"
        ]
    else:
        taken = r.names.adjoints if many else g
        lines += ["", f"    def propagate({taken}):", *(f"        {line}" for line in inner), ""]
        lines += r.append("", inputs, [r.walk.elem("r")])
    return [*lines, "    return r"]


def _with_output(
    r: Renderer, made: Aggregate, head: str, names: dict[str, str], values: dict[str, str]
) -> list[str]:
    """t is a Variable, and an output of the entry."""
    inputs = list(made.inputs)
    g, working = r.names.adjoint, r.style.working
    on_values = working != "propagates Variables"
    wrapped = working == "propagates values"
    given = values if on_values else names
    fill = {**given, "g": f"{g}.value" if wrapped else g, "t": "t.value" if on_values else "t",
            "gt": "dL_dt.value" if wrapped else "dL_dt"}  # fmt: skip

    def text(rule: str) -> str:
        made_text = rule.format(**fill)
        return f"Variable({made_text})" if wrapped else made_text

    plus = "Variable(one.value + other.value)" if wrapped else "one + other"
    lines = [
        "def plus(one, other):",
        "    if one is None or other is None:",
        "        return other if one is None else one",
        f"    return {plus}",
        "",
        "",
        head,
        f"    t = Variable({made.t.format(**values)})",
        f"    r = Variable({made.r.format(t='t.value', **values)})",
        "",
        f"    def propagate({r.names.adjoints}):",
        f"        {g}, dL_dt = {r.names.adjoints}",
        f"        {' = '.join(f'dL_d{each}' for each in inputs)} = None",
        f"        if {g} is not None:",
        f"            dL_dt = plus(dL_dt, {text(made.through)})",
        *(f"            dL_d{each} = {text(rule)}" for each, rule in made.direct.items()),
        *(
            f"        dL_d{each} = plus(dL_d{each}, {text(rule)})"
            for each, rule in made.back.items()
        ),
        f"        return [{', '.join(f'dL_d{each}' for each in inputs)}]",
        "",
    ]
    return [*lines, *r.append("", inputs, [r.walk.elem("r"), r.walk.elem("t")]), "    return r"]
