"""The class `Variable` of a tape as Python, with its names, and the class of entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tape_rules import RULES
from tape_styles import GRAPH

if TYPE_CHECKING:
    from tape_rendering import Renderer


def namer(r: Renderer) -> list[str]:
    """What makes names."""
    if r.style.keys == "names by a counter":
        return [
            "_name = 0",
            "def fresh_name():\n    global _name\n    r = f'v{_name}'\n    _name += 1\n    return r",
        ]
    if r.style.keys == "names by count()":
        return ["counter = itertools.count()"]
    return ["order = itertools.count()"] if r.style.recording == GRAPH else []


def entry_class(r: Renderer) -> list[str]:
    """The class of entries, where they have one."""
    recording = r.style.recording
    fields = ["inputs: list", "outputs: list", "propagate: object"]
    if recording == "named tuples":
        return ["class TapeEntry(NamedTuple):\n" + "\n".join(f"    {f}" for f in fields)]
    if recording == "dataclasses":
        return ["@dataclass\nclass TapeEntry:\n" + "\n".join(f"    {f}" for f in fields)]
    if recording == "slotted objects":
        return [
            "class TapeEntry:\n    __slots__ = ('inputs', 'outputs', 'propagate')\n\n"
            "    def __init__(self, inputs, outputs, propagate):\n"
            "        self.inputs, self.outputs, self.propagate = inputs, outputs, propagate"
        ]
    return []


def class_text(r: Renderer) -> str:
    """The class `Variable`."""
    hints = r.style.manner == "type hints"
    value = "value: torch.Tensor" if hints else "value"
    named = r.style.keys.startswith("names")
    lines = ["class Variable:", f"    def __init__(self, {value}{', name=None' if named else ''}):",
             "        self.value = value"]  # fmt: skip
    if r.style.manner == "docstrings and tests":
        lines.insert(1, '    """A tensor on the tape."""\n')
    if r.style.tape == "a class attribute":
        lines.insert(1, "    tape = []\n")
    if named:
        made = {"names by a counter": "fresh_name()", "names by count()": "f'v{next(counter)}'",
                "names by uuid": "uuid.uuid4().hex"}[r.style.keys]  # fmt: skip
        lines.append(f"        self.name = name or {made}")
    if r.style.recording == GRAPH:
        lines += ["        self.inputs, self.propagate, self.order = (), None, next(order)"]
    lines += ["", "    def __repr__(self):", "        return repr(self.value)"]
    if r.style.manner == "subclassed again":
        lines += ["", "", "class Variable(Variable):", "    pass"]
    if r.style.manner != "set on the class later":
        inside = r.operator_lines() if r.in_class() else []
        lines += ["", *inside, *methods(r)]
    return "\n".join(lines)


def methods(r: Renderer) -> list[str]:
    """The methods, each of which calls an operator."""
    lines: list[str] = []
    by_method: dict[str, list[str]] = {}
    for name in r.needed:
        by_method.setdefault(RULES[name].method, []).append(name)
    pairs = {"__mul__": "scale", "__add__": "shift", "__sub__": "shift", "__truediv__": "scale"}
    given = {"shift": "rhs", "scale": "rhs"}
    for method in dict.fromkeys([*by_method, *(m for m in pairs if pairs[m] in r.needed)]):
        rule = by_method.get(method, [""])[0]
        if method in ("scale", "shift"):
            continue
        unary = rule and RULES[rule].operands == 1 and not RULES[rule].number
        lines.append(f"    def {method}(self{'' if unary else ', rhs'}):")
        if pairs.get(method) in r.needed:
            number = pairs[method]
            sent = {"__sub__": "-rhs", "__truediv__": "1 / rhs"}.get(method, given[number])
            lines += ["        if isinstance(rhs, (int, float)):",
                      f"            return {r.called(number, 'self', sent)}"]  # fmt: skip
        if rule:
            lines.append(f"        return {r.called(rule, 'self', *([] if unary else ['rhs']))}")
        lines.append("")
    for turned, method in (("__rmul__", "__mul__"), ("__radd__", "__add__")):
        if pairs[method] in r.needed:
            lines += [f"    {turned} = {method}", ""]
    return lines[:-1]
