"""Which forms a file has, by the names and the text of its classes and functions; and the skeleton
of a task for one. Parses; runs nothing."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...errors import SubmissionProblem, UsageProblem
from ...messages import say
from ...model import COURSE_KIND, Unit
from ...submission import describe_line, read
from ...submission.classes import ClassFound, find_classes
from ...submission.parse import ParsedUnit, parse_units
from .form import HandForm
from .forms import HAND_FORMS
from .forms.forward_backward import PASS_NAMES

WIDTH = 100
FEW_NAMES = 3
"""Gradients at the top level that make a script."""
PAIR = re.compile(r"(\w+?)_(?:backward|bwd|grad)")
"""The function of a pair that gives gradients; the other is called `lin` or `lin_forward`."""
LABELS = re.compile(r"[yY]b?|y_\w+|t|targ\w*|targets?|labels?|idx|index|mask")
SCALARS = """

def {name}():
    # w0, w1, ... are the weights, x1, x2, ... the inputs
    return ...
"""
NUMBERS = re.compile(r"reg\w*|eps|lr|alpha|beta[12]|slope|momentum|p|scale")


FUNCTION = HandForm(name="autograd-function")
"""A class derived from torch's Function, which is an exercise of its own."""
HOMEWORK = HandForm(name=COURSE_KIND, methods=tuple(("forward", name) for name in PASS_NAMES))
"""The course's own, whose task may be of scalars."""


class Sighting(NamedTuple):
    """A class or function of a form: what the form calls by their `names`, the parameters of the
    first, without self, and where it stands; the parameters that the class itself is made with."""

    form: HandForm
    names: tuple[str, ...]
    parameters: tuple[ast.arg, ...]
    unit: int
    line: int
    makes: tuple[ast.arg, ...] = ()
    is_base: bool = False
    """Whether another class of the file derives from it."""

    @property
    def is_class(self) -> bool:
        """Whether methods are called."""
        return len(self.names) != self.form.function_count or not self.form.function_count


def recognised(file: Path, name: str | None, task: str) -> str:
    """The text of a task called `task` for the first class or function of a form in a file, or for
    the one of that `name`, below comments that say all that was recognised. Raises UsageProblem."""
    try:
        units = read(file, file.name).units
    except SubmissionProblem as problem:
        raise UsageProblem(f"{file}: {problem.message}", problem.way_out) from None
    sightings = forms_in(units)
    lines = []
    for each in sightings:
        shown = " and ".join(each.names) or say("gradients of names at the top level")
        lines.append(f"# {each.form.name}: {shown} ({describe_line(units[each.unit], each.line)})")
    chosen = [each for each in sightings if name is None or name in each.names]
    if not chosen:
        raise UsageProblem(
            say("{file}: no class and no function of a known form", file=file.name)
            if name is None
            else say("{file}: `{name}` has no known form", file=file.name, name=name),
            say("the page on forms says what each looks like; a task may name any places itself"),
        )
    text = "\n".join(unit.text for unit in units)
    first = min(chosen, key=lambda sighting: sighting.is_base)
    return "\n".join([*lines, skeleton(first, task, text)])


def forms_in(units: tuple[Unit, ...]) -> list[Sighting]:
    """The classes and functions of a submission that have a form, in document order; a script comes
    last. Raises nothing; what does not parse has none."""
    parsed = parse_units(units)
    seen = [*_classes(parsed), *_functions(parsed)]
    seen.sort(key=lambda sighting: (sighting.unit, sighting.line))
    return seen + _scripts(parsed)


def _text(unit: ParsedUnit, node: ast.stmt) -> str:
    return ast.get_source_segment(unit.unit.text, node) or ""


def _parameters(function: ast.FunctionDef | None) -> tuple[ast.arg, ...]:
    arguments = [*function.args.posonlyargs, *function.args.args] if function else []
    return tuple(each for each in arguments if each.arg != "self")


def _classes(parsed: Sequence[ParsedUnit]) -> Iterator[Sighting]:
    """Of a class the form with a sign in its text comes before one without."""
    forms = sorted((*HAND_FORMS.values(), HOMEWORK), key=lambda form: not form.sign)
    names = {name for form in forms for own in form.methods for name in own}
    classes = find_classes(parsed, tuple(names))
    bases = {base.name for each in classes for base in each.inherited}
    for each in classes:
        if each.derives("Function"):
            sighting = _sighting(FUNCTION, each, "forward")
            yield sighting._replace(parameters=sighting.parameters[1:])  # without ctx
            continue
        text = _text(parsed[each.unit], each.node)
        for form in forms:
            first = [names[0] for names in form.methods if _has(each, names[: form.optional])]
            if first and (not form.sign or re.search(form.sign, text)):
                yield _sighting(form, each, first[0])._replace(is_base=each.name in bases)
                break


def _sighting(form: HandForm, owner: ClassFound, method: str) -> Sighting:
    """A class of a form, with the parameters of one of its own methods."""
    methods = {n.name: n for n in owner.node.body if isinstance(n, ast.FunctionDef)}
    parameters = _parameters(methods.get(method))
    makes = _parameters(methods.get("__init__"))
    return Sighting(form, (owner.name,), parameters, owner.unit, owner.node.lineno, makes)


def _has(owner: ClassFound, names: Sequence[str]) -> bool:
    """Whether all these methods of a class are written."""
    methods = [owner.method(name) for name in names]
    return all(method is not None and not method.stub for method in methods)


def _functions(parsed: Sequence[ParsedUnit]) -> Iterator[Sighting]:
    nodes = [(u, n) for u in parsed for n in u.tree.body if isinstance(n, ast.FunctionDef)]
    by_name = {node.name: node for _, node in nodes}
    for unit, node in nodes:
        pair = PAIR.fullmatch(node.name)
        first = pair and (by_name.get(pair[1]) or by_name.get(f"{pair[1]}_forward"))
        count = 2 if first else 1
        for form in HAND_FORMS.values():
            if form.function_count == count and re.search(form.sign, _text(unit, node)):
                names = (first.name, node.name) if first else (node.name,)
                parameters = _parameters(first or node)
                yield Sighting(form, names, parameters, unit.index, node.lineno)
                break


def _scripts(parsed: Sequence[ParsedUnit]) -> list[Sighting]:
    """The script that the units are, if enough names at their top level have a gradient."""
    form = next(form for form in HAND_FORMS.values() if form.probed)
    text = "\n".join(unit.unit.text for unit in parsed)
    names = {match.group().split("=")[0].strip() for match in re.finditer(form.sign, text)}
    of_names = [name for name in names if re.search(rf"(?m)^{re.escape(name[1:])} *=", text)]
    return [Sighting(form, (), (), 0, 1)] if len(of_names) >= FEW_NAMES else []


def skeleton(sighting: Sighting, name: str, text: str) -> str:
    """The text of a task called `name` for a class or function, whose dimensions and expression the
    instructor fills in. `text` is the file's: an argument with keys is a dict, which holds the
    parameters of a loss, else values to try."""
    form, names = sighting.form, [each.arg for each in sighting.parameters]
    if form is HOMEWORK and all(re.fullmatch(r"x\d+", each) for each in names):
        return SCALARS.format(name=name)
    lines = [f'EXERCISE = "{form.name}"']
    callees = () if form is HOMEWORK else sighting.names
    if not sighting.is_class and form.function_count == 1:
        callees = (f"{callees[0]}({', '.join(names)})",)
    if callees:
        lines.append(f"CALLS = {callees!r}" if callees[1:] else f'CALLS = "{callees[0]}"')
    if labels := [label for label in names if LABELS.fullmatch(label)]:
        lines.append(f"BELOW = {json.dumps(dict.fromkeys(labels, 'c'))}")
    if sighting.makes:
        made_with = json.dumps([each.arg for each in sighting.makes])
        lines.append(f"MAKES = {made_with}  # for each a dimension, a parameter or a value")
    keyed = {name: keys for name in names if (keys := _keys(name, text))}
    typed = {each: "dict" if each in keyed else _annotation(each) for each in names}
    kept = ["w"] if form.probed or form is HOMEWORK or (form.holds and sighting.makes) else []
    if form.is_loss and keyed:
        held = {key: f'{name}["{key}"]' for name, keys in keyed.items() for key in keys}
        places = ", ".join(f'"{key}": {place!r}' for key, place in held.items())
        lines.append(f"HOLDS = {{{places}}}")
        kept = [*held]
        typed = {each: own for each, own in typed.items() if each not in keyed}
    elif keyed:
        dicts = {each: json.dumps(dict.fromkeys(keys, 1)) for each, keys in keyed.items()}
        tried = ", ".join(f'"{each}": ({values},)' for each, values in dicts.items())
        lines.append(f"VALUES = {{{tried}}}  # for each the values to try")
    parameters = [f"{each}: {own}" for each, own in typed.items()] or ['x: Float[Tensor, "n d"]']
    dims = {each: "m" if each.startswith("b") else "d m" for each in kept}
    parameters += ["*"] if kept else []
    parameters += [f'{each}: Float[Tensor, "{of}"]' for each, of in dims.items()]
    signature = f"def {name}({', '.join(parameters)}):"
    if len(signature) > WIDTH:
        signature = "\n    ".join([f"def {name}(", *(f"{each}," for each in parameters)]) + "\n):"
    comment = "    # the function in torch's own ops; autograd says what is right"
    return "\n".join([*lines, "", "", signature, comment, "    return ...", ""])


def _keys(name: str, text: str) -> list[str]:
    """The keys by which a text reads a dict of that name, in their order."""
    return [*dict.fromkeys(re.findall(rf"""(?<![\w.]){name}\[["'](\w+)["']\]""", text))]


def _annotation(name: str) -> str:
    if LABELS.fullmatch(name):
        return 'Int[Tensor, "n"]'
    if NUMBERS.fullmatch(name):
        return "float"
    return "dict" if name.endswith(("_param", "params")) else 'Float[Tensor, "n d"]'
