"""How a function that gives gradients of intermediates is written, right or with a fault."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from faults import NoPlace
from intermediate_tasks import Task

WAYS = (
    "retain_grad", "retain_grad in a loop", "retain_grad at once", "hooks of lambdas", "hooks by a closure",
    "hooks in a loop", "hooks with partial", "hooks removed", "hooks append, reversed", "a global dict", "a prehook",
    "grad in one call", "grad by a dict", "grad for each", "grad with allow_unused", "grad, create_graph, detach",
    "backward of inputs", "backward with ones", "hook of many, removed", "a class that collects",
    "a context manager", "a generator", "hooks that print",
)  # fmt: skip
"""How the gradients are had."""
HOOKS = tuple(way for way in WAYS if "hook" in way)
ENGINES = tuple(way for way in WAYS if way.startswith("grad"))
ANSWERS = ("a dict", "dict()", "a tuple", "a list", "a named tuple", "a comprehension", "a loop", "more keys",
           "with the loss", "an OrderedDict")  # fmt: skip
COPIES = ("", ".clone()", ".detach()", ".detach().clone()")
FORWARDS = (
    "in line",
    "a helper",
    "a method",
    "a lambda for the loss",
    "in a dict",
    "calculated twice",
    "static class",
)
SIGNATURES = (
    "plain",
    "typed",
    "keywords alone",
    "*args",
    "**kwargs",
    "other names",
    "a default more",
)
EXTRAS = ("", "leaves cleared before", "leaves cleared after", "copies of leaves", "prints", "enable_grad",
          "a decorator", "docstring and asserts", "del")  # fmt: skip


class Style(NamedTuple):
    """A way of writing."""

    way: str
    answer: str
    copied: str
    forward: str
    signature: str
    extra: str

    @property
    def names(self) -> str:
        """For the table of styles."""
        return " + ".join(("way: " + self.way, "answer: " + self.answer, "copy: " + (self.copied or "none"),
                           "forward: " + self.forward, "def: " + self.signature, "extra: " + (self.extra or "none")))  # fmt: skip


def draw_style(random: Random) -> Style:
    """One of all."""
    choices = (WAYS, ANSWERS, COPIES, FORWARDS, SIGNATURES, EXTRAS)
    return Style(*(random.choice(names) for names in choices))


class Program(NamedTuple):
    """What a function is put together of: lines at the top, statements by step, what is done for the gradients, and
    the expression of each."""

    top: list[str]
    steps: dict[str, list[str]]
    loss: list[str]
    body: list[str]
    results: dict[str, str]
    end: list[str]


def steps_of(task: Task, random: Random, spelled: bool = True) -> tuple[dict[str, list[str]], str]:
    """The statements of the forward by name, and the loss."""
    made = {}
    for name, spellings in task.model.steps:
        before, _, value = (random.choice(spellings) if spelled else spellings[0]).rpartition("|")
        made[name] = [*([before] if before else []), f"{name} = {value}"]
    losses = task.model.losses
    return made, random.choice(losses) if spelled else losses[0]


def start(task: Task, style: Style, random: Random) -> Program:
    """A right program of this style."""
    steps, loss = steps_of(task, random)
    top, body, results = _way(task, style.way)
    if style.way == "retain_grad" and random.random() < 0.5:  # each behind its assignment
        body = ["loss.backward()"]
        for name in task.asked:
            steps[name].append(f"{name}.retain_grad()")
    return Program(top, steps, [f"loss = {loss}"], body, results, [])


def _way(task: Task, way: str) -> tuple[list[str], list[str], dict[str, str]]:
    asked = list(task.asked)
    many = ", ".join(asked) + ("," if len(asked) == 1 else "")
    pairs = ", ".join(f"{n}={n}" for n in asked)
    found = {n: f"found[{n!r}]" for n in asked}
    leaf = {n: f"{n}.grad" for n in asked}
    held = {n: f"d_{n}" for n in asked}
    of_held = ", ".join(held.values()) + ("," if len(asked) == 1 else "")
    back = ["loss.backward()"]
    if way == "retain_grad":
        return [], [*(f"{n}.retain_grad()" for n in asked), *back], leaf
    if way == "retain_grad in a loop":
        return [], [f"for tensor in ({many}):", "    tensor.retain_grad()", *back], leaf
    if way == "retain_grad at once":
        return (
            [],
            [f"[tensor.retain_grad() for tensor in [{many}]]", "torch.autograd.backward(loss)"],
            leaf,
        )
    if way == "backward of inputs":
        return [], [f"loss.backward(inputs=[{many}])"], leaf
    if way == "backward with ones":
        return (
            [],
            [*(f"{n}.retain_grad()" for n in asked), "loss.backward(torch.ones_like(loss))"],
            leaf,
        )
    if way == "hooks of lambdas":
        hooks = [f"{n}.register_hook(lambda grad: found.update({n}=grad))" for n in asked]
        return [], ["found = {}", *hooks, *back], found
    if way == "hooks by a closure":
        lines = [
            "found = {}",
            "def keep(name):",
            "    def hook(grad):",
            "        found[name] = grad",
            "    return hook",
        ]
        return [], [*lines, *(f"{n}.register_hook(keep({n!r}))" for n in asked), *back], found
    if way == "hooks in a loop":
        lines = ["found = {}", f"for name, tensor in dict({pairs}).items():",
                 "    tensor.register_hook(lambda grad, name=name: found.__setitem__(name, grad))"]  # fmt: skip
        return [], [*lines, *back], found
    if way == "hooks with partial":
        hooks = [f"{n}.register_hook(functools.partial(store, found, {n!r}))" for n in asked]
        return ["import functools", "", "", "def store(found, name, grad):", "    found[name] = grad"], [
            "found = {}", *hooks, *back], found  # fmt: skip
    if way == "hooks removed":
        lines = ["found = {}", f"handles = [t.register_hook(lambda g, n=n: found.update({{n: g}})) for n, t in "
                 f"dict({pairs}).items()]", *back, "for handle in handles:", "    handle.remove()"]  # fmt: skip
        return [], lines, found
    if way == "hooks append, reversed":
        order = [n for n, _ in task.model.steps if n in asked]
        if task.inputs == ["a", "x"] or order[:2] == [
            "gate",
            "value",
        ]:  # two that do not follow one another
            raise NoPlace(way)
        lines = [
            "list_of_grads = []",
            *(f"{n}.register_hook(list_of_grads.append)" for n in order),
            *back,
        ]
        return [], lines, {n: f"list_of_grads[-{i + 1}]" for i, n in enumerate(order)}
    if way == "a global dict":
        top = [
            "found = {}",
            "",
            "",
            "def save(name):",
            "    def hook(grad):",
            "        found[name] = grad",
            "    return hook",
        ]
        return top, [*(f"{n}.register_hook(save({n!r}))" for n in asked), *back], found
    if way == "a prehook":
        hooks = [
            f"{n}.grad_fn.register_prehook(lambda outs: found.update({n}=outs[0]))" for n in asked
        ]
        return [], ["found = {}", *hooks, *back], found
    if way == "hooks that print":
        hooks = [f"{n}.register_hook(lambda grad: print('{n}', grad))" for n in asked]
        return [], [*hooks, *(f"{n}.retain_grad()" for n in asked), *back], leaf
    if way == "grad in one call":
        return [], [f"{of_held} = torch.autograd.grad(loss, [{many}])"], held
    if way == "grad by a dict":
        return [], [f"wanted = dict({pairs})",
                    "found = dict(zip(wanted, torch.autograd.grad(loss, list(wanted.values()))))"], found  # fmt: skip
    if way == "grad for each":
        return (
            [],
            [
                f"d_{n} = torch.autograd.grad(loss, {n}, retain_graph={n != asked[-1]})[0]"
                for n in asked
            ],
            held,
        )
    if way == "grad with allow_unused":
        return (
            [],
            [f"{of_held} = torch.autograd.grad(outputs=loss, inputs=({many}), allow_unused=True)"],
            held,
        )
    if way == "grad, create_graph, detach":
        return [], [f"{of_held} = torch.autograd.grad([loss], [{many}], create_graph=True)",
                    f"{of_held} = [grad.detach() for grad in ({of_held})]"], held  # fmt: skip
    if way == "hook of many, removed":
        lines = ["found = {}", "def keep(grads):", f"    for name, grad in zip({asked!r}, grads):", "        found[name] = grad",
                 f"handle = torch.autograd.graph.register_multi_grad_hook([{many}], keep)", *back, "handle.remove()"]  # fmt: skip
        return [], lines, found
    if way == "a class that collects":
        top = ["class Collector:", "    def __init__(self):", "        self.grads = {}", "", "    def on(self, name, tensor):",
               "        tensor.register_hook(lambda grad: self.take(name, grad))", "        return tensor", "",
               "    def take(self, name, grad):", "        self.grads[name] = grad"]  # fmt: skip
        lines = ["collector = Collector()", *(f"collector.on({n!r}, {n})" for n in asked), *back]
        return top, lines, {n: f"collector.grads[{n!r}]" for n in asked}
    if way == "a context manager":
        top = ["import contextlib", "", "", "@contextlib.contextmanager", "def collecting(**tensors):", "    grads = {}",
               "    handles = [t.register_hook(lambda g, n=n: grads.__setitem__(n, g)) for n, t in tensors.items()]",
               "    try:", "        yield grads", "    finally:", "        for handle in handles:", "            handle.remove()"]  # fmt: skip
        return top, [f"with collecting({pairs}) as found:", "    loss.backward()"], found
    assert way == "a generator"
    top = ["def each_grad(loss, tensors):", "    for tensor in tensors:", "        yield torch.autograd.grad(loss, tensor, retain_graph=True)[0]"]  # fmt: skip
    return top, [f"{of_held} = each_grad(loss, [{many}])"], held


def written(task: Task, style: Style, made: Program) -> str:
    """The text."""
    inputs = task.inputs
    leaves = [name for name, _ in task.model.leaves]
    steps = [line for name, _ in task.model.steps for line in made.steps[name]]
    top, start, end = list(made.top), [], list(made.end)
    names = [name for name, _ in task.model.steps]
    results = {name: made.results[name] + style.copied for name in task.asked}
    signature, head = _signature(style.signature, inputs)
    loss = list(made.loss)
    if style.forward == "a lambda for the loss" and len(loss) == 1:
        value = loss[0].partition(" = ")[2]
        loss = [
            f"loss_of = lambda {', '.join(names)}: {value}",
            f"loss = loss_of({', '.join(names)})",
        ]
    if style.forward == "calculated twice":
        start += [line for line in steps if ".retain_grad" not in line and ".register" not in line]
        start += ["first = loss = " + loss[0].partition(" = ")[2]] if len(loss) == 1 else []
        if "first" in names:
            start[-1] = start[-1].replace("first = ", "")
    if style.forward in ("a helper", "a method", "static class"):
        inner = [*steps, *loss, f"return {', '.join(names)}, loss"]
        given = ", ".join(inputs)
        if style.forward == "a helper":
            top += ["", "", f"def forward({given}):", *_in(inner)]
            call = f"forward({given})"
        elif style.forward == "a method":
            top += ["", "", "class Model:", "    def __init__(self, scale=1):", "        self.scale = scale", "",
                    f"    def __call__(self, {given}):", *_in(_in(inner))]  # fmt: skip
            call = f"Model()({given})"
        else:
            top += [
                "",
                "",
                "class Net:",
                "    @staticmethod",
                f"    def forward({given}):",
                *_in(_in(inner)),
            ]
            call = f"Net.forward({given})"
        steps, loss = [f"{', '.join(names)}, loss = {call}"], []
    if style.forward == "in a dict":
        steps += ["made = dict(" + ", ".join(f"{n}={n}" for n in names) + ")"]
        results = {
            n: re.sub(rf"^{n}\.grad\b", f"made[{n!r}].grad", text) for n, text in results.items()
        }
    if style.extra == "leaves cleared before":
        start = [f"for leaf in ({', '.join(leaves)},):", "    leaf.grad = None", *start]
    if style.extra == "leaves cleared after":
        made.body.append(f"{' = '.join(f'{name}.grad' for name in leaves)} = None")
    if style.extra == "copies of leaves":
        start = [*(f"{n} = {n}.detach().clone().requires_grad_()" for n in leaves), *start]
    if style.extra == "prints":
        end = [*(f"print({n!r}, {n}.shape, {results[n]})" for n in task.asked), *end]
    if style.extra == "docstring and asserts":
        head = ['"""The gradients of the loss with respect to the intermediates."""', *head]
        made.body.extend(f"assert {results[n]}.shape == {n}.shape" for n in task.asked)
    answer, last = _answer(style.answer, task, results)
    body = [*head, *start, *steps, *loss, *made.body, *end]
    if style.extra == "del":
        body += [f"result = {last}", f"del loss, {', '.join(names)}"] if not answer else []
        last = "result" if not answer else last
    if style.answer == "a named tuple":
        fields = " ".join(task.asked)
        top = [
            "from collections import namedtuple",
            "",
            f"Grads = namedtuple('Grads', '{fields}')",
            *top,
        ]
    if style.answer == "an OrderedDict":
        top = ["from collections import OrderedDict", *top]
    above = []
    if style.extra == "enable_grad":
        above = ["@torch.enable_grad()"]
    if style.extra == "a decorator":
        top += ["", "", "def quiet(function):", "    import functools", "", "    @functools.wraps(function)",
                "    def wrapper(*args, **kwargs):", "        return function(*args, **kwargs)", "", "    return wrapper"]  # fmt: skip
        above = ["@quiet"]
    lines = ["import torch", "import torch.nn.functional as F", "", *top, "", "", *above,
             f"def gradients({signature}):", *_in([*body, *answer, f"return {last}"]), ""]  # fmt: skip
    return "\n".join(lines)


def _in(lines: list[str]) -> list[str]:
    return ["    " + line if line else "" for line in lines]


def _signature(kind: str, inputs: list[str]) -> tuple[str, list[str]]:
    plain = ", ".join(inputs)
    comma = "," if len(inputs) == 1 else ""
    if kind == "typed":
        return ", ".join(f"{n}: torch.Tensor" for n in inputs), []
    if kind == "keywords alone":
        return "*, " + plain, []
    if kind == "*args":
        return "*args", [f"{plain}{comma} = args"]
    if kind == "**kwargs":
        return "**kwargs", [f"{n} = kwargs[{n!r}]" for n in inputs]
    if kind == "other names":
        others = [f"{n}_given" for n in inputs]
        return ", ".join(others), [f"{plain}{comma} = {', '.join(others)}{comma}"]
    return plain + (", verbose=False" if kind == "a default more" else ""), []


def _answer(kind: str, task: Task, results: dict[str, str]) -> tuple[list[str], str]:
    """Lines before the last, and what is returned."""
    as_dict = "{" + ", ".join(f"{n!r}: {e}" for n, e in results.items()) + "}"
    values = ", ".join(results.values())
    comma = "," if len(results) == 1 else ""
    if kind == "a dict":
        return [], as_dict
    if kind in ("dict()", "an OrderedDict"):
        call = "dict" if kind == "dict()" else "OrderedDict"
        return [], f"{call}({', '.join(f'{n}={e}' for n, e in results.items())})"
    if kind == "a tuple":
        return [], values  # one alone is no tuple
    if kind == "a list":
        return [], f"[{values}]"
    if kind == "a named tuple":
        return [], f"Grads({values})"
    if kind == "a comprehension":
        return [], f"{{n: g for n, g in zip({list(task.asked)!r}, ({values}{comma}))}}"
    if kind == "a loop":
        return [
            "answer = {}",
            f"for name, grad in zip({task.asked!r}, [{values}]):",
            "    answer[name] = grad",
        ], "answer"
    if kind == "more keys":
        return [], as_dict[:-1] + ", 'loss': loss.detach(), 'note': 'all'}"
    assert kind == "with the loss"
    return [], f"loss, {as_dict}"
