"""Styles of single lines: where values are kept, how they are assigned, dropped and looked at, how
numbers leave tensors and come back, and what stands around the pass."""

from __future__ import annotations

import re
from collections.abc import Callable

from hands import Hand, indented

Style = Callable[[Hand], None]


def _words(text: str) -> list[str]:
    return list(text.strip("\n").split("\n"))


# -- how a value is assigned -----------------------------------------------------------------


def assigned(*lines: str, tail: tuple[str, ...] = (), top: str = "", imports: str = "",
             members: str = "") -> Style:  # fmt: skip
    """Each assignment as these lines, of {t} and {e}; what was used for the last time in them is
    dropped before the `tail`."""

    def style(hand: Hand) -> None:
        hand.assign = lambda t, e: [line.format(t=t, e=e) for line in lines]
        hand.tail = lambda t: [line.format(t=t) for line in tail]
        _more(hand, top, imports, members)
        hand.tags.add("assign")

    return style


def _more(hand: Hand, top: str = "", imports: str = "", members: str = "") -> None:
    hand.imports += _words(imports) if imports else []
    hand.top += _words(top) if top else []
    hand.members += _words(members) if members else []


ASSIGNMENTS: dict[str, Style] = {
    "annotations": assigned("{t}: torch.Tensor = {e}"),
    "walrus": assigned("({t} := {e})"),
    "walrus in if": assigned("if ({t} := {e}) is None:", "    raise ValueError"),
    "tuple unpacking": assigned("{t}, = ({e},)"),
    "list unpacking": assigned("[{t}] = [{e}]"),
    "starred unpacking": assigned("{t}, *_ = ({e},)"),
    "chained": assigned("{t} = also = {e}", "also = None"),
    "for over a list": assigned("for {t} in [{e}]:", "    pass"),
    "enumerate": assigned("for _, {t} in enumerate(({e},)):", "    pass"),
    "zip": assigned("for {t}, _ in zip([{e}], 'a'):", "    pass"),
    "lambda at once": assigned("{t} = (lambda: {e})()"),
    "helper of a lambda": assigned("{t} = run(lambda: {e})", top="def run(f):\n    return f()"),
    "generator expression": assigned("{t} = next({e} for _ in (0,))"),
    "list comprehension": assigned("{t} = [{e} for _ in range(1)][0]"),
    "dict comprehension": assigned("{t} = {{k: {e} for k in 'a'}}['a']"),
    "generator function": assigned(
        "{t} = next(once(lambda: {e}))", top="def once(f):\n    yield f()"
    ),
    "map": assigned("{t}, = map(lambda f: f(), [lambda: {e}])"),
    "nested function": assigned("def step():", "    return {e}", "{t} = step()"),
    "closure with a value": assigned("def step():", "    v = {e}", "    return v", "{t} = step()"),
    "match": assigned("match {e}:", "    case {t}:", "        pass"),
    "match on a string": assigned(
        "match 'mul':", "    case 'mul':", "        {t} = {e}", "    case _:", "        pass"
    ),
    "with as": assigned(
        "with value({e}) as {t}:",
        "    pass",
        imports="import contextlib",
        top="@contextlib.contextmanager\ndef value(v):\n    yield v\n    v = None",
    ),
    "try and finally": assigned("try:", "    {t} = {e}", "finally:", "    pass"),
    "try and except": assigned("try:", "    {t} = {e}", "except ValueError:", "    raise"),
    "while true": assigned("while True:", "    {t} = {e}", "    break"),
    "conditional expression": assigned("{t} = {e} if self is not None else None"),
    "a dict's only value": assigned("{t} = dict(v={e}).pop('v')"),
    "a list's only value": assigned("{t} = [{e}].pop()"),
    "a named tuple's value": assigned(
        "{t} = Step({e}).value",
        imports="from typing import NamedTuple",
        top="class Step(NamedTuple):\n    value: torch.Tensor",
    ),
    "a dataclass's value": assigned(
        "{t} = Step({e}).value",
        imports="from dataclasses import dataclass",
        top="@dataclass\nclass Step:\n    value: torch.Tensor",
    ),
    "partial": assigned(
        "{t} = partial(same, {e})()",
        imports="from functools import partial",
        top="def same(v):\n    return v",
    ),
    "static method": assigned(
        "{t} = self.same({e})", members="@staticmethod\ndef same(v):\n    return v"
    ),
    "class method": assigned(
        "{t} = self.same({e})", members="@classmethod\ndef same(cls, v):\n    return v"
    ),
    "star arguments": assigned(
        "{t} = first(*[{e}], scale=None)", top="def first(*args, **kwargs):\n    return args[0]"
    ),
    "default argument": assigned(
        "{t} = first({e})", top="def first(v, scale=1.0, bias=None):\n    return v"
    ),
    "an object's property": assigned(
        "{t} = Box({e}).value",
        top="class Box:\n    def __init__(self, v):\n        self._v = v\n"
        "    @property\n    def value(self):\n        return self._v",
    ),
    "detached": assigned("{t} = ({e}).detach()"),
    "cloned": assigned("{t} = ({e}).clone()"),
    "in double precision": assigned("{t} = ({e}).double().float()"),
    "through shape 1": assigned("{t} = ({e}).reshape(1).squeeze()"),
    "copied into room": assigned("{t} = torch.empty(())", "{t}.copy_({e})"),
    "copied into place": assigned("{t} = torch.zeros(1)", "{t}[0] = {e}", tail=("{t} = {t}[0]",)),
    "tensor of a tensor": assigned("{t} = torch.tensor([{e}])[0]"),
    "stacked": assigned("{t} = torch.stack([{e}])[0]"),
}


# -- how numbers leave and come back ----------------------------------------------------------


def again(value: str, imports: str = "", top: str = "") -> Style:
    """Each value leaves as a number and is a tensor again in one statement, or in two."""
    plain = assigned(f"{{t}} = {value}", imports=imports, top=top)

    def style(hand: Hand) -> None:
        plain(hand)
        hand.tags.add("number")
        if hand.random.random() < 0.5:  # one after the other
            out = re.search(r"float\(\{e\}\)|\(\{e\}\)(\.double\(\))?\.\w+\(\)", value)
            if out is not None:
                assigned(
                    f"k = {out[0]}", tail=(f"{{t}} = {value.replace(out[0], 'k')}", "k = None")
                )(hand)

    return style


def numbers(taken: str) -> Style:
    """Some values are numbers from their birth on, used beside tensors."""

    def style(hand: Hand) -> None:
        hand.number = lambda e: taken.format(e=e)
        hand.tags |= {"number", "assign"}

    return style


NUMBERS: dict[str, Style] = {
    "numbers by float": numbers("float({e})"),
    "numbers by item": numbers("({e}).item()"),
    "numbers by tolist": numbers("({e}).tolist()"),
    "numbers of a list": numbers("({e}).reshape(1).tolist()[0]"),
    "numbers by numpy": numbers("float(({e}).detach().numpy())"),
    "numbers rounded twice": numbers("float(float({e}))"),
    "numbers of a stack": numbers("torch.stack([{e}]).tolist()[0]"),
    "tensor of float": again("torch.tensor(float({e}))"),
    "tensor of item": again("torch.tensor(({e}).item())"),
    "tensor of tolist": again("torch.tensor(({e}).tolist())"),
    "tensor of a list of float": again("torch.tensor([float({e})])[0]"),
    "as_tensor of item": again("torch.as_tensor(({e}).item())"),
    "asarray of float": again("torch.asarray(float({e}))"),
    "full of item": again("torch.full((), ({e}).item())"),
    "full_like of float": again("torch.full_like(x1, float({e}))"),
    "scalar_tensor of item": again("torch.scalar_tensor(({e}).item())"),
    "new_tensor of float": again("x1.new_tensor(float({e}))"),
    "new_full of item": again("x1.new_full((), ({e}).item())"),
    "Tensor of float": again("torch.Tensor([float({e})])[0]"),
    "FloatTensor of item": again("torch.FloatTensor([({e}).item()])[0]"),
    "fill_ with item": again("torch.zeros(()).fill_(({e}).item())"),
    "one times item": again("torch.ones(()) * ({e}).item()"),
    "zero plus float": again("torch.zeros(()) + float({e})"),
    "numpy and back": again("torch.from_numpy(({e}).detach().numpy().copy())"),
    "numpy array of item": again(
        "torch.from_numpy(np.array([({e}).item()], dtype=np.float32))[0]", "import numpy as np"
    ),
    "numpy float32 of item": again("torch.tensor(np.float32(({e}).item()))", "import numpy as np"),
    "double precision number": again("torch.tensor(({e}).double().item(), dtype=torch.float32)"),
}


# -- where values are kept --------------------------------------------------------------------


def kept(place: str, start: str = "", imports: str = "", top: str = "", delete: str = "") -> Style:
    """Each value in a place of {n} (its name) or {i} (its number)."""

    def style(hand: Hand) -> None:
        count = iter(range(1000))
        hand.place = lambda bare: place.format(n=bare, i=next(count))
        hand.start += [start] if start else []
        _more(hand, top, imports)
        if delete:
            hand.drop = lambda names: [delete.format(t=n, k=n[n.find("[") + 1 : -1]) for n in names]
        hand.tags |= {"place", "drop"} if delete else {"place"}

    return style


PLACES: dict[str, Style] = {
    "dict": kept("v['{n}']", "v = {}"),
    "dict with pop": kept("v['{n}']", "v = {}", delete="v.pop({k})"),
    "dict with del": kept("v['{n}']", "v = {}", delete="del {t}"),
    "dict of numbers": kept("v[{i}]", "v = dict()", delete="del v[{k}]"),
    "ordered dict": kept(
        "v['{n}']", "v = OrderedDict()", "from collections import OrderedDict", delete="v.pop({k})"
    ),
    "default dict": kept(
        "v['{n}']", "v = defaultdict(list)", "from collections import defaultdict",
        delete="v[{k}].clear() if isinstance(v[{k}], list) else v.pop({k})"),
    "list of places": kept("v[{i}]", "v = [None] * 400"),
    "deque of places": kept("v[{i}]", "v = deque([None] * 400)", "from collections import deque"),
    "namespace": kept("v.{n}", "v = SimpleNamespace()", "from types import SimpleNamespace"),
    "namespace with del": kept(
        "v.{n}", "v = SimpleNamespace()", "from types import SimpleNamespace", delete="del {t}"
    ),
    "attributes of self": kept("self.{n}_"),
    "attributes of self with del": kept("self.{n}_", delete="del {t}"),
    "an object of its own": kept("v.{n}", "v = Values()", top="class Values:\n    pass"),
    "attributes of a function": kept("v.{n}", "v = lambda: None"),
    "class attributes": kept("Values.{n}", top="class Values:\n    pass"),
    "module globals": kept("V['{n}']", top="V = {}", delete="V.pop({k})"),
    "locals with del": kept("{n}", delete="del {t}"),
    "locals in Greek": kept("\u03b4_{n}"),
    "locals reassigned": kept("{n}", delete="{t} = 0"),
    "locals to a string": kept("{n}", delete="{t} = 'freed'"),
}  # fmt: skip


# -- what is looked at on the way -------------------------------------------------------------


def looked(*lines: str, imports: str = "") -> Style:
    """These lines after each assignment of {t}."""

    def style(hand: Hand) -> None:
        hand.after = lambda t: [line.format(t=t) for line in lines]
        _more(hand, imports=imports)
        hand.tags.add("after")

    return style


LOOKS: dict[str, Style] = {
    "prints": looked("print({t})"),
    "f-strings": looked('print(f"value = {{{t}:.4f}}")'),
    "format of item": looked("print('{{:.3f}}'.format({t}.item()))"),
    "asserts not None": looked("assert {t} is not None"),
    "asserts a shape": looked("assert {t}.shape == ()"),
    "asserts a type": looked("assert isinstance({t}, torch.Tensor) and {t}.dtype == torch.float32"),
    "asserts no nan": looked("assert not math.isnan({t}.item())", imports="import math"),
    "asserts by comparing": looked("assert {t} == {t}"),
    "logs": looked("logging.debug('value %s', {t})", imports="import logging"),
    "repr": looked("repr({t})"),
}


# -- what stands around the pass --------------------------------------------------------------


def around(before: list[str], after: list[str], depth: int = 1, imports: str = "", top: str = "",
           members: str = "", result: str = "return") -> Style:  # fmt: skip
    """The pass in a block, or in a function of its own."""

    def style(hand: Hand) -> None:
        hand.result = result + " {y}"
        hand.wrap = lambda lines: [*before, *indented(lines, depth), *after]
        _more(hand, top, imports, members)
        hand.tags.add("wrap")

    return style


def decorated(line: str, imports: str = "", top: str = "") -> Style:
    """The pass under a decorator."""

    def style(hand: Hand) -> None:
        hand.decorators.append(line)
        _more(hand, top, imports)

    return style


WRAPPER = """
def timed(f):
    @functools.wraps(f)
    def run(*args, **kwargs):
        return f(*args, **kwargs)
    return run
"""
WRAPS: dict[str, Style] = {
    "no_grad": around(["with torch.no_grad():"], []),
    "no_grad decorator": decorated("@torch.no_grad()"),
    "inference_mode": around(["with torch.inference_mode():"], []),
    "inference_mode decorator": decorated("@torch.inference_mode()"),
    "set_grad_enabled": around(["with torch.set_grad_enabled(False):"], []),
    "own decorator": decorated("@timed", "import functools", WRAPPER),
    "pass in a closure": around(["def whole():"], ["return whole()"]),
    "pass in a loop": around(["for _ in range(1):"], []),
    "pass in a while": around(["while True:"], []),
    "pass in try": around(["try:"], ["finally:", "    pass"]),
    "own context manager": around(
        ["with quiet():"], [],
        top="class quiet:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, *error):\n        return False"),
    "exit stack": around(
        ["with contextlib.ExitStack() as stack:", "    stack.enter_context(torch.no_grad())"], [],
        imports="import contextlib"),
    "pass in a generator": around(["def whole():"], ["for y in whole():", "    return y"], result="yield"),
    "match on a mode": around(["match self.training:", "    case True:"], [], depth=2),
    "recursion once": around(["def whole(n):", "    if n > 0:", "        return whole(n - 1)"], ["return whole(1)"]),
}  # fmt: skip
