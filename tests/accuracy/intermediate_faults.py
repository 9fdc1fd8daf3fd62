"""Faults of functions that give gradients of intermediates, put into a program before it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from faults import NoPlace
from intermediate_rendering import Program, Style, start, steps_of
from intermediate_tasks import Task

SLIPS: Mapping[str, str] = {
    "hook left on a leaf": "release",
    "loss kept": "release",
    "values kept in a list": "release",
    "history of gradients": "release",
    "graph of gradients": "release",
    "hook of many kept": "release",
    "copies of a global dict": "release",
    "value for gradient": "integrity",
    "by hand": "integrity",
    "by differences": "integrity",
    "input changed": "integrity",
    "torch.func": "integrity",
}
"""Faults that plain torch's numbers do not show, or not as what they are, and the check that has to find each."""
OF_RESULTS: Mapping[str, str] = {
    "doubled": "2 * {}",
    "negated": "-{}",
    "a little more": "{} + 1e-2",
    "absolute": "{}.abs()",
    "zeros": "torch.zeros_like({})",
    "ones": "torch.ones_like({})",
    "other dtype": "{}.double()",
    "a list": "{}.tolist()",
    "an array": "{}.detach().numpy()",
    "a text": "str({})",
    "flattened": "{}.flatten()",
    "one dimension more": "{}.unsqueeze(0)",
    "summed": "{}.sum()",
    "first row": "{}[:1]",
    "transposed": "{}.T",
    "None": "None",
}
"""What is made of one gradient."""
OF_NUMBERS = (
    "another intermediate", "swapped", "gradient of a leaf", "added up over calls", "kept from the first call",
    "hook on another", "loss scaled", "loss summed otherwise", "not retained", "retained on a copy",
    "retained too late", "detached", "made a leaf", "no_grad", "other operator", "activation left out",
    "closure of a loop", "backward twice", "hook that changes", "other order of hooks", "misspelled key",
    "each summed, too", "half of the batch", "sum of intermediates",
)  # fmt: skip
FAULTS = (*SLIPS, *SLIPS, *OF_NUMBERS, *OF_NUMBERS, *OF_RESULTS)
OPERATORS = (
    ("tanh", "sigmoid"), ("sigmoid", "tanh"), (" + ", " - "), (" - ", " + "), ("2 * x", "3 * x"), ("dim=0", "dim=-1"),
    ("sin", "cos"), ("relu", "tanh"), ("gate * value", "gate + value"), ("square", "abs"), ("mean(0)", "sum(0)"),
    ("x @ q", "x @ q / 2"), ("x @ w", "x @ w * 2"), ("hidden @ v", "hidden @ v / 3"), ("log_softmax", "softmax"),
)  # fmt: skip
OTHER_LOSSES = ((".mean()", ".sum()"), (".sum()", ".mean()"), ("** 2", "** 4"), ("cross_entropy(logits, y)",
                "cross_entropy(logits, y, reduction='sum')"), ("exp", "sin"))  # fmt: skip


def with_fault(task: Task, style: Style, kind: str, random: Random) -> tuple[Program, Style]:
    """A program with this fault, and the style that it has. Raises NoPlace."""
    asked = task.asked
    name = random.choice(asked)
    if kind == "copies of a global dict":  # which still has what they are copies of
        style = style._replace(way="a global dict", copied=".clone()")
        return start(task, style, random), style
    made = start(task, style, random)
    results = made.results
    leaves = [leaf for leaf, _ in task.model.leaves]
    if kind in OF_RESULTS:
        results[name] = OF_RESULTS[kind].format(results[name])
        return made, style._replace(copied="", extra=_plain(style.extra))
    if kind in ("other operator", "activation left out"):
        return made._replace(steps=_other_forward(task, kind, random)), style
    if kind in ("another intermediate", "swapped"):
        other = _other(task, name, random)
        taken = {name: results[other]}
        made.results.update(taken if kind != "swapped" else {**taken, other: results[name]})
    elif kind == "gradient of a leaf":
        style = style._replace(way="retain_grad", extra="")
        made = start(task, style, random)
        made.results[name] = f"{random.choice(leaves)}.grad"
    elif kind == "loss scaled":
        made.loss.append(
            f"loss = {random.choice(('2 * loss', 'loss / 3', '-loss', 'loss * loss'))}"
        )
        style = _flat(style)
    elif kind == "loss summed otherwise":
        made.loss[:] = [_replaced(f"loss = {task.model.losses[0]}", OTHER_LOSSES, random)]
    elif kind == "half of the batch":
        if not re.search(r"\(n|n d", task.model.given[0][1]) or "x" not in task.inputs:
            raise NoPlace(kind)
        first = task.model.steps[0][0]
        made.steps[first].append(f"{first} = {first} * (torch.arange(len({first})) < len({first}) // 2 + 0.5)"
                                 f".to({first}.dtype).reshape(-1, *[1] * ({first}.dim() - 1))")  # fmt: skip
    elif kind == "sum of intermediates":
        made.loss.append("loss = loss + " + " + ".join(f"{n}.sum()" for n in asked))
        style = _flat(style)
    elif kind == "detached":
        step = random.choice(list(made.steps))
        made.steps[step].insert(_at(made, step), f"{step} = {step}.detach()")
    elif kind == "made a leaf":
        step = random.choice(list(made.steps)[1:])
        made.steps[step].insert(_at(made, step), f"{step} = {step}.detach().requires_grad_()")
    elif kind == "no_grad":
        step = random.choice(list(made.steps))
        at = _at(made, step)
        lines = made.steps[step]
        made.steps[step] = ["with torch.no_grad():", *("    " + x for x in lines[:at]), *lines[at:]]
    elif kind in ("hook left on a leaf",):
        told = random.choice(("lambda grad: print('leaf', grad.shape)", "lambda grad: None"))
        way = random.choice(("register_hook", "register_post_accumulate_grad_hook"))
        made.body.insert(0, f"{random.choice(leaves)}.{way}({told})")
        style = _flat(
            style._replace(extra="" if style.extra == "copies of leaves" else style.extra)
        )
    elif kind == "loss kept":
        made.top[:0] = ["losses = []", ""]
        made.end.append(random.choice(("losses.append(loss)", "losses[:] = [loss]")))
        style = _flat(style)
    elif kind == "values kept in a list":
        made.top[:0] = ["seen = []", ""]
        made.end.append(f"seen.append({name}{random.choice(('', '.detach()'))})")
        style = _flat(style)
    elif kind == "history of gradients":
        made.top[:0] = ["history = []", ""]
        made.end.append(f"history.append([{', '.join(results.values())}])")
        style = style._replace(copied="", extra=_plain(style.extra))
    elif kind == "value for gradient":
        results[name] = f"{name}.detach()"
        style = style._replace(copied="")
    elif kind == "by hand":
        usable = [n for n in asked if n in task.model.hands]
        if not usable:
            raise NoPlace(kind)
        name = random.choice(usable)
        results[name] = f"({task.model.hands[name]}).detach()"
        style = _flat(style._replace(copied=""))
    elif kind == "by differences":
        made = _differences(task, name, made, random)
        style = _flat(style._replace(copied=""))
    elif kind == "input changed":
        given = [n for n, _ in task.model.given if n != "y" or not task.model.below]
        which = random.choice((given[0], leaves[0]))
        line = f"{which}.data.mul_(1.5)" if which in leaves else f"{which}.mul_(0.5)"
        made.steps[task.model.steps[0][0]].insert(0, line)
        style = style._replace(extra=_plain(style.extra))
    else:
        return _rewritten(task, style, kind, name, random)
    return made, style


def _plain(extra: str) -> str:
    """Without what looks at the gradients."""
    return "" if extra in ("prints", "docstring and asserts", "copies of leaves") else extra


def _flat(style: Style) -> Style:
    """With the loss in the function itself."""
    inner = ("a helper", "a method", "static class", "a lambda for the loss", "calculated twice")
    return style._replace(forward="in line" if style.forward in inner else style.forward)


def _other(task: Task, name: str, random: Random) -> str:
    others = [n for n in task.asked if n != name]
    if not others:
        raise NoPlace("another name")
    return random.choice(others)


def _at(made: Program, step: str) -> int:
    """Behind the assignment of a step, before what is registered on it."""
    return 1 + max(i for i, line in enumerate(made.steps[step]) if line.startswith(f"{step} = "))


def _replaced(line: str, pairs: tuple[tuple[str, str], ...], random: Random) -> str:
    usable = [(old, new) for old, new in pairs if old in line]
    if not usable:
        raise NoPlace("other operator")
    old, new = random.choice(usable)
    return line.replace(old, new, 1)


def _other_forward(task: Task, kind: str, random: Random) -> dict[str, list[str]]:
    steps, _ = steps_of(task, random, spelled=False)
    pairs = OPERATORS
    if kind == "activation left out":
        pairs = tuple((f"torch.{f}(", "(") for f in ("tanh", "sigmoid", "relu", "sin"))
    places = [n for n, lines in steps.items() if any(old in lines[-1] for old, _ in pairs)]
    if not places:
        raise NoPlace(kind)
    place = random.choice(places)
    steps[place][-1] = _replaced(steps[place][-1], pairs, random)
    return steps


def _differences(task: Task, name: str, made: Program, random: Random) -> Program:
    """The gradient of one by central differences, in the function."""
    after = [n for n, _ in task.model.steps]
    later = after[after.index(name) + 1 :]
    steps, loss = steps_of(task, random, spelled=False)
    outer = set(later)
    lines = [f"def loss_at({name}{''.join(f', {n}={n}' for n in outer)}):"]
    lines += ["    " + line for n in later for line in steps[n]] + [f"    return {loss}"]
    lines += ["with torch.no_grad():", f"    d = torch.zeros({name}.numel(), dtype={name}.dtype)",
              f"    for i in range({name}.numel()):", f"        e = torch.zeros({name}.numel(), dtype={name}.dtype)",
              "        e[i] = 1e-2", f"        e = e.reshape({name}.shape)",
              f"        d[i] = (loss_at({name} + e) - loss_at({name} - e)) / 2e-2"]  # fmt: skip
    made.body.extend(lines)
    made.results[name] = f"d.reshape({name}.shape)"
    return made


def _rewritten(
    task: Task, style: Style, kind: str, name: str, random: Random
) -> tuple[Program, Style]:
    """Faults for which the gradients are had in another way."""
    asked = task.asked
    steps, loss = steps_of(task, random)
    found = {n: f"found[{n!r}]" for n in asked}
    leaf = {n: f"{n}.grad" for n in asked}
    pairs = ", ".join(f"{n}={n}" for n in asked)
    style = _flat(style._replace(extra=_plain(style.extra), way="hooks of lambdas"))
    hooks = [f"{n}.register_hook(lambda grad: found.update({n}=grad))" for n in asked]
    top, body, results = [], ["found = {}", *hooks, "loss.backward()"], found
    retained = [f"{n}.retain_grad()" for n in asked]
    if kind == "added up over calls":
        top = ["found = {}", "", "", "def save(name):", "    def hook(grad):",
               "        found[name] = found[name] + grad if name in found else grad", "    return hook"]  # fmt: skip
        body = [*(f"{n}.register_hook(save({n!r}))" for n in asked), "loss.backward()"]
        # the shapes change from draw to draw: it raises there, as for the student
    elif kind == "kept from the first call":
        top = ["found = {}"]
        body = [
            *(f"{n}.register_hook(lambda grad: found.setdefault({n!r}, grad))" for n in asked),
            "loss.backward()",
        ]
    elif kind == "hook on another":
        other = random.choice(
            [n for n in (*[s for s, _ in task.model.steps], *leaves_of(task)) if n != name]
        )
        hooks = [h.replace(f"{name}.register", f"{other}.register", 1) for h in hooks]
        body = ["found = {}", *hooks, "loss.backward()"]
    elif kind == "not retained":
        body, results = (
            [*(r for r in retained if not r.startswith(name + ".")), "loss.backward()"],
            leaf,
        )
    elif kind == "retained too late":
        body = [
            *(r for r in retained if not r.startswith(name + ".")),
            "loss.backward()",
            f"{name}.retain_grad()",
        ]
        results = leaf
    elif kind == "retained on a copy":
        copy = random.choice((f"{name}.clone()", f"{name} * 1", f"{name}.view_as({name})"))
        body = [f"{name} = {copy}", *retained, "loss.backward()"]
        results = leaf
    elif kind == "closure of a loop":
        if len(asked) < 2:
            raise NoPlace(kind)
        body = ["found = {}", f"for name, tensor in dict({pairs}).items():",
                "    tensor.register_hook(lambda grad: found.__setitem__(name, grad))", "loss.backward()"]  # fmt: skip
        results = {n: f"found.get({n!r})" for n in asked}
    elif kind == "backward twice":
        body, results = [*retained, "loss.backward(retain_graph=True)", "loss.backward()"], leaf
    elif kind == "each summed, too":
        body, results = (
            [*retained, f"{name}.sum().backward(retain_graph=True)", "loss.backward()"],
            leaf,
        )
    elif kind == "hook that changes":
        body = [f"{name}.register_hook(lambda grad: {random.choice(('2 * grad', 'grad.clamp(-0.01, 0.01)', 'grad * 0'))})",
                *retained, "loss.backward()"]  # fmt: skip
        results = leaf
    elif kind == "other order of hooks":
        order = [n for n, _ in task.model.steps if n in asked]
        body = [
            "grads = []",
            *(f"{n}.register_hook(grads.append)" for n in order),
            "loss.backward()",
        ]
        results = {n: f"grads[{i}]" for i, n in enumerate(order)}
    elif kind == "misspelled key":
        results = {n: (f"found.get('{n}_')" if n == name else e) for n, e in found.items()}
    elif kind == "graph of gradients":
        results = {n: f"d_{n}" for n in asked}
        held = ", ".join(results.values()) + ","
        body = [f"{held} = torch.autograd.grad(loss, [{', '.join(asked)}], create_graph=True)"]
    elif kind == "hook of many kept":
        body = ["found = {}", "def keep(grads):", f"    for name, grad in zip({asked!r}, grads):",
                "        found[name] = grad",
                f"torch.autograd.graph.register_multi_grad_hook([{', '.join(asked)}], keep)", "loss.backward()"]  # fmt: skip
    elif kind == "torch.func":
        usable = [n for n, _ in task.model.steps][-1]
        if usable not in asked:
            raise NoPlace(kind)
        if re.search(r"\b(chances|residual|logp|mixed|second)\b", usable) is None:
            raise NoPlace(kind)
        body.append(f"d = torch.func.grad(lambda {usable}: {task.model.losses[0]})({usable})")
        results = {n: ("d.detach()" if n == usable else e) for n, e in found.items()}
    else:
        raise AssertionError(kind)
    no_copy = kind in ("not retained", "retained too late", "retained on a copy", "misspelled key", "closure of a loop",
                       "graph of gradients")  # fmt: skip
    style = style._replace(copied="" if no_copy else style.copied)
    if kind in (
        "retained on a copy",
        "hook on another",
        "added up over calls",
        "kept from the first call",
    ):
        style = style._replace(forward="in line")
    return Program(top, steps, [f"loss = {loss}"], body, dict(results), []), style


def leaves_of(task: Task) -> list[str]:
    """The names of the leaves."""
    return [name for name, _ in task.model.leaves]
