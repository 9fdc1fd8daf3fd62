"""What two passes share, renaming and layout aside, and what they do not."""

from __future__ import annotations

from trace_lab import record

from pytest_backprop.likeness.traits import TRAITS_LIMIT, traits
from pytest_backprop.model.verdict import Trait
from pytest_backprop.trace.graph import DataFlow

END = """
self.w.grad = torch.stack([dw0, dw1])
return y
"""
PASS = """
w0, w1 = self.w
t1 = w0 * x1
t2 = w1 * x2
t3 = t1 / t2
y = t3 - x3
dt2 = -t3 / t2
t3 = None
dt1 = 1 / t2
t1 = t2 = None
dw0 = dt1 * x1
dt1 = None
dw1 = dt2 * x2
dt2 = None
"""
OTHER = """
a, b = self.w[0], self.w[1]
# first
node = torch.mul(x1, a)
foo = x2.mul(b)
q = torch.div(node, foo); y = q.sub(x3)
g = q.neg() / foo
q = None
h = torch.reciprocal(foo) * 1
node = foo = None
dw0 = x1 * h
h = None
dw1 = x2 * g
g = None
"""


def of(body: str, end: str = END) -> tuple[Trait, ...]:
    recording = record(body + end)
    return traits(recording, DataFlow(recording))


def test_names_spelling_and_the_order_of_factors_do_not_matter() -> None:
    first, second = of(PASS), of(OTHER)
    assert {t.value for t in first} == {t.value for t in second}
    assert len({t.value for t in first}) >= 8
    assert {t.way for t in first} <= {t.way for t in second}
    assert {t.drop for t in first} <= {t.drop for t in second}


def test_places_are_those_of_the_text() -> None:
    lines = [t.line for t in of(PASS)]
    assert lines == sorted(lines, key=lambda line: line or 0)
    assert None not in lines


def test_another_way_to_the_same_value_shows() -> None:
    other = PASS.replace("dt2 = -t3 / t2", "dt2 = -t1 / t2 ** 2")
    assert other != PASS
    first, second = of(PASS), of(other)
    assert {t.way for t in first} != {t.way for t in second}
    assert first[-1].value == second[-1].value
    assert first[-1].way == second[-1].way


def test_what_stands_at_another_place_shows_in_the_order_alone() -> None:
    moved = PASS.replace("t1 = w0 * x1\nt2 = w1 * x2", "t2 = w1 * x2\nt1 = w0 * x1")
    assert moved != PASS
    first, second = of(PASS), of(moved)
    assert {t.way for t in first} == {t.way for t in second}
    assert {t.order for t in first} != {t.order for t in second}


def test_a_value_that_is_kept_shows_in_its_drop_alone() -> None:
    kept = PASS.replace("dt1 = None\n", "")
    first, second = of(PASS), of(kept)
    assert [t.way for t in first] == [t.way for t in second]
    assert [t.order for t in first] == [t.order for t in second]
    assert sum(a.drop != b.drop for a, b in zip(first, second, strict=True)) == 1


def test_what_is_not_rational_is_known_by_its_function() -> None:
    body = "w0, w1 = self.w\ny = torch.exp(w0 * x1) + torch.{0}(w1)\ndw0 = y * x1\ndw1 = y * x2"
    sine, same, cosine = (of(body.format(name)) for name in ("sin", "sin", "cos"))
    assert sine == same
    assert {t.value for t in sine} != {t.value for t in cosine}


def test_poles_and_numbers_that_are_none_end_nothing() -> None:
    body = "w0, w1 = self.w\ny = (w0 * x1) / (w1 - w1) + w1 ** 0.5 + w0 * float('inf')\ndw0 = y * x1\ndw1 = y * x2"
    found = of(body)
    assert len(found) == 9
    assert len({t.value for t in found}) == 9


def test_what_no_replay_runs_hides_nothing_where_nothing_reads_it() -> None:
    idle = "torch.linalg.matrix_exp(t3.reshape(1, 1)) + torch.rand_like(t3)\ny = t3"
    assert {t.value for t in of(PASS)} <= {t.value for t in of(PASS.replace("y = t3", idle))}


def test_a_long_pass_is_cut() -> None:
    body = "w0, w1 = self.w\ny = w0 * x1\nfor _ in range(600):\n    y = y * w1\ndw0 = dw1 = y"
    assert len(of(body)) == TRAITS_LIMIT
