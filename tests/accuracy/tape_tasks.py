"""Tasks of `tape` by the seed: expressions of Variables, and operators that a student writes as one."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

VECTORS = (
    {"a": "n", "b": "n"},
    {"a": "n", "b": "n", "c": "n"},
    {"x": "n"},
    {"x": "n d", "y": "n d"},
)
"""Float tensors of one shape, with their dimensions."""
PRODUCTS = ({"x": "n d", "w": "d"}, {"x": "n d", "w": "d c"})
"""Of these the first is multiplied by the second."""
UNARY = ("exp", "tanh", "sigmoid", "sin", "cos", "relu", "square")
POSITIVE_ONLY = ("log", "sqrt")
WITH_NUMBER = ("{} * 2", "3 * {}", "{} + 1", "1 - {}", "{} ** 2", "{} ** 3", "{} / 4", "{} - 0.5")
ENDS = ("{}", "{}", "{}", "{}.sum()", "{}.mean()")


class Aggregate(NamedTuple):
    """An operator in two steps, t and r, in the texts of `tape_rules`: `through` is the adjoint of t, `direct` and
    `back` what r and t contribute to the adjoints of the inputs."""

    inputs: tuple[str, ...]
    t: str
    r: str
    through: str
    direct: dict[str, str]
    back: dict[str, str]
    torchs: tuple[str, str]


AGGREGATES = (
    Aggregate(("a", "b"), "{a} + {b}", "{t} * {b}", "{g} * {b}", {"b": "{g} * {t}"},
              {"a": "{gt}", "b": "{gt}"}, ("a + b", "t * b")),
    Aggregate(("a", "b"), "{a} * {b}", "{t} * {t} + {a}", "{g} * {t} * 2", {"a": "{g}"},
              {"a": "{gt} * {b}", "b": "{gt} * {a}"}, ("a * b", "t * t + a")),
    Aggregate(("a", "b"), "{a}.exp()", "{t} * {b}", "{g} * {b}", {"b": "{g} * {t}"},
              {"a": "{gt} * {t}"}, ("torch.exp(a)", "t * b")),
    Aggregate(("a", "b"), "{a} * {b}", "{t}.tanh() + {b}", "{g} - {g} * {t}.tanh() * {t}.tanh()",
              {"b": "{g}"}, {"a": "{gt} * {b}", "b": "{gt} * {a}"}, ("a * b", "torch.tanh(t) + b")),
    Aggregate(("a",), "{a}.sigmoid()", "{a} * {t}", "{g} * {a}", {"a": "{g} * {t}"},
              {"a": "{gt} * ({t} - {t} * {t})"}, ("torch.sigmoid(a)", "a * t")),
    Aggregate(("a", "b"), "{a} - {b}", "{t} * {t}", "{g} * {t} * 2", {},
              {"a": "{gt}", "b": "-{gt}"}, ("a - b", "t ** 2")),
)  # fmt: skip


class MadeTask(NamedTuple):
    """The text of a file of a bank, its function, and the aggregate that it asks for, where it does."""

    name: str
    text: str
    body: str
    order: int
    operator: str
    aggregate: Aggregate | None


def make_task(seed: int) -> MadeTask:
    """The task of a seed. Not all that are made can be graded."""
    random = Random(f"tape task {seed}")
    name = f"v{seed % 900_000 + 1}"
    order = 2 if random.random() < 0.45 else 1
    if random.random() < 0.3:
        aggregate = random.choice(AGGREGATES)
        operator = random.choice(("simple_variable", "fused", "my_op"))
        dims = dict.fromkeys(aggregate.inputs, "n")
        lines = [f"t = {aggregate.torchs[0]}", f"return {aggregate.torchs[1]}"]
        return _made(name, dims, (), order, operator, aggregate, lines)
    if random.random() < 0.25:
        dims = random.choice(PRODUCTS)
        lines = [*_product(random)]
        return _made(name, dims, (), order, "", None, lines)
    dims = random.choice(VECTORS)
    positive = ("b",) if "b" in dims and random.random() < 0.5 else ()
    return _made(name, dims, positive, order, "", None, _elementwise(random, [*dims], positive))


def _made(
    name: str, dims: dict[str, str], positive: tuple[str, ...], order: int, operator: str,
    aggregate: Aggregate | None, lines: list[str],
) -> MadeTask:  # fmt: skip
    head = ['EXERCISE = "tape"']
    head += [f"ORDER = {order}"] if order == 2 else []
    head += [f'OPERATOR = "{operator}"'] if operator else []
    head += [f"POSITIVE = {positive!r}"] if positive else []
    signature = ", ".join(f'{each}: Float[Tensor, "{d}"]' for each, d in dims.items())
    body = "\n".join(f"    {line}" for line in lines)
    text = "\n".join([*head, "", "", f"def {name}({signature}):", body, ""])
    return MadeTask(name, text, "\n".join(lines), order, operator, aggregate)


def _product(random: Random) -> list[str]:
    made = f"x{random.choice(('', '.tanh()', '.exp()'))} @ w"
    if random.random() < 0.5:
        made = f"({made}).{random.choice(UNARY)}()"
    lines = [f"h = {made}"]
    made = random.choice(("h", "h", "h * h", "h + h.sin()"))
    return [*lines, f"return {random.choice(ENDS).format(_bracketed(made))}"]


def _elementwise(random: Random, names: list[str], positive: tuple[str, ...]) -> list[str]:
    """Statements; an input may have no part in the value."""
    lines: list[str] = []
    pool = list(names)
    for _ in range(random.randint(2, 4)):
        pool.append(_step(random, pool, positive))
        if random.random() < 0.4:
            local = f"t{len(lines)}"
            lines.append(f"{local} = {pool.pop()}")
            pool.append(local)
    made = pool[-1] if pool[-1] not in names else f"{pool[-1]} * {pool[-1]}"
    for line in reversed(lines):  # what has no use is no part of a task
        local = line.partition(" = ")[0]
        if local not in made and all(local not in each.partition(" = ")[2] for each in lines):
            made = f"{_bracketed(made)} {random.choice('+*')} {local}"
    made = _bracketed(made)
    return [*lines, f"return {random.choice(ENDS).format(made)}"]


def _step(random: Random, pool: list[str], positive: tuple[str, ...]) -> str:
    # what was made last is used, or most of it would be for nothing
    one, other = pool[-1], random.choice(pool)
    if random.random() < 0.5:
        one, other = other, one
    one, other = _bracketed(one), _bracketed(other)
    drawn = random.random()
    if drawn < 0.45:
        return f"{one} {random.choice('+-*')} {other}"
    if drawn < 0.55 and positive:
        below = random.choice(positive)
        return random.choice(
            (f"{one} / {below}", f"{one} * {below}.log()", f"{one} + {below}.sqrt()")
        )
    if drawn < 0.75:
        return random.choice(WITH_NUMBER).format(one)
    if drawn < 0.8:
        return f"-{one}"
    return f"{one}.{random.choice(UNARY)}()"


def _bracketed(text: str) -> str:
    return text if text.isidentifier() else f"({text})"
