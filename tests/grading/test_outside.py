"""Memory seen from outside: what the recorder's lives say in vectors, and whole submissions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_lab import record
from warm_zygote import warm_worker

from pytest_backprop.exercises.forward_backward import PASS_NAMES
from pytest_backprop.exercises.functions.bank import Variant, load_bank
from pytest_backprop.exercises.functions.reference import expected
from pytest_backprop.exercises.functions.scenarios import generic_points
from pytest_backprop.grading.outside_memory import (
    AUTOGRAD_PASS,
    LENGTH,
    NotMeasured,
    Outside,
    autograd_text,
    is_suspect,
    outside,
    seen_sizes,
)
from pytest_backprop.grading.vector_runs import Scales
from pytest_backprop.model import Recording
from pytest_backprop.trace.copies import copies
from pytest_backprop.worker.account import Weight
from pytest_backprop.worker.child_watch import Outcome
from pytest_backprop.worker.client import Worker
from pytest_backprop.worker.protocol import COPY, Limits, Weighed

ROOT = Path(__file__).parents[2]
BANK = load_bank(ROOT / "variants")


def seen(body: str) -> tuple[float, float]:
    return seen_sizes(record(body), "float32")


@given(st.integers(1, 12), st.integers(0, 12))
@settings(max_examples=25)
def test_kept_values_are_counted_and_dropped_ones_are_not(kept: int, dropped: int) -> None:
    body = f"""
        y = x1 * 2
        values = [x1 * k for k in range({kept})]
        for k in range({dropped}):
            y = y * x2
        values = None
        return y
    """
    peak, left = seen(body)
    assert peak == kept + 1 + (1 if dropped else 0)
    assert left == 1


def test_what_is_made_of_numbers_takes_no_vector() -> None:
    assert seen("two = torch.tensor(2.0)\nreturn two * 3\n") == (0, 0)


def test_a_copy_is_kept_until_the_statement_is_done_that_uses_its_numbers() -> None:
    body = """
        n = (x1 * 2).tolist()
        y = (x2 / x3) + (x1 * n)
        n = None
        z = y * x1
        return z
    """
    peak, left = seen(body)
    assert peak == 4  # n, the quotient, the product, their sum
    assert left == 1


def test_a_plain_number_beside_another_leaves_the_other_followed() -> None:
    beside = "k = torch.stack([x1 * 1.37, torch.tensor(1.0)]).tolist()\nreturn x1 * 2\n"
    assert len(copies(record(beside))) == 1
    assert not copies(record("k = (x1 / x1).tolist()\nreturn x1 * 2\n"))


def test_a_stack_takes_as_many_as_it_holds_and_a_mask_a_quarter() -> None:
    assert seen("self.w.grad = torch.stack([x1, x2])\nreturn x3\n") == (2, 2)
    assert seen("self.w.grad = torch.zeros(2)\nreturn x3\n") == (2, 2)
    peak, _ = seen("mask = x1 > 0\nreturn x3\n")
    assert peak == 0.25


@pytest.fixture(scope="module")
def scales() -> Iterator[Scales]:
    worker = warm_worker()
    worker.ready()
    made = Scales(worker, Limits(20.0, 2**30), None, PASS_NAMES)
    variant = BANK.values()[0]
    made.weigh((autograd_text(variant),), variant).result()
    yield made
    made.close()
    worker.close()


def weighed(scales: Scales, variant: Variant) -> Outcome:
    outcome = scales.weigh_autograd(variant).result()
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("variant", BANK.values(), ids=lambda variant: variant.name)
def test_the_text_of_autograds_own_run_is_the_variant(variant: Variant) -> None:
    names: dict[str, object] = {}
    exec(autograd_text(variant).text, names)
    points = expected(variant, generic_points(variant, 1, 5))
    for row in range(5):
        model = names["Autograd"]()  # type: ignore[operator]
        for name, weight in zip(variant.weights, points.weights[row], strict=True):
            model.get_parameter(name).data = weight.clone()
        y = getattr(model, AUTOGRAD_PASS)(*points.inputs[row])
        torch.testing.assert_close(y.detach(), points.value[row])
        for name, gradient in zip(variant.weights, points.gradients[row], strict=True):
            torch.testing.assert_close(model.get_parameter(name).grad, gradient)


def test_autograds_own_run_is_measured_once_a_variant(scales: Scales) -> None:
    variant = BANK.values()[0]
    assert scales.weigh_autograd(variant) is scales.weigh_autograd(variant)
    outcome = weighed(scales, variant)
    assert outcome.weight is not None
    assert outcome.weight.peak > outcome.weight.kept > 0


def test_a_run_that_was_not_measured_says_why(scales: Scales) -> None:
    recording = record("return x1 * 2\n")
    said = outside(recording, "float32", None, None)
    assert said == NotMeasured("the worker that runs it failed", ours=True)
    stopped = Outcome("timeout", "stopped after 5 s", None, "", 5.0, 0)
    assert outside(recording, "float32", stopped, None) == NotMeasured("stopped after 5 s")
    followed = Outcome("answered", "", Weighed(ops=(("mul", True),)), "", 1.0, 0)
    unread = outside(recording, "float32", followed, None)
    assert unread == NotMeasured("its memory cannot be read here", ours=True)


@pytest.mark.parametrize(
    ("ops", "why"),
    [
        ((), "op 1 is missing, not mul"),
        ((("add", True),), "op 1 is add, not mul"),
        ((("mul", False),), "it makes no vector there with op 1, `mul`"),
        ((("mul", True), ("mul", True)), "op 2 is mul, not missing"),
        ((("mul", True), (COPY, True)), f"op 2 is {COPY}, not missing"),
    ],
)
def test_a_run_that_goes_another_way_shows_nothing(
    ops: tuple[tuple[str, bool], ...], why: str
) -> None:
    outcome = Outcome("answered", "", Weighed(ops=ops), "", 1.0, 0, Weight(0, 0, 0))
    said = outside(record("return x1 * 2\n"), "float32", outcome, None)
    assert isinstance(said, NotMeasured)
    assert why in said.reason
    assert not said.ours


def test_a_number_that_is_used_later_is_no_longer_hidden_than_its_use() -> None:
    body = """
        a = x1 * 2
        kept = a.{take}
        a = None
        b = x2 * 3
        b = b * kept
        return b
    """
    dropped, _ = seen(body.format(take="item()"))
    peak, left = seen(body.format(take="tolist()"))
    assert dropped == 2
    assert (peak, left) == (3, 1)


def test_scales_whose_worker_is_gone_give_nothing_and_come_back(scales: Scales) -> None:
    worker = Worker()
    worker.ready()
    own = Scales(worker, Limits(20.0, 2**30), None, PASS_NAMES)
    variant = BANK.values()[1]
    unit = autograd_text(variant)
    assert own.weigh((unit,), variant).result() is not None
    worker.close()
    assert own.weigh((unit,), variant).result() is not None
    own.close()
    worker.close()


def test_only_ops_that_take_memory_for_their_result_alone_can_tell() -> None:
    unit = 4 * LENGTH
    weight = Weight(5 * unit, unit, unit)

    def run(*names: str) -> Outcome:
        ops = tuple((name, True) for name in names)
        return Outcome("answered", "", Weighed(ops=ops), "", 1.0, 0, weight)

    judged = outside(record("return x1 * 2\n"), "float32", run("mul"), None)
    assert isinstance(judged, Outside)
    assert (judged.hidden, judged.untold) == (4, "")
    assert is_suspect(judged)
    sorting: Recording = record("return torch.sort(x1 * 2)[0]\n")
    told = outside(sorting, "float32", run("mul", "sort"), None)
    assert isinstance(told, Outside)
    assert (told.hidden, told.untold) == (0, "sort")


def test_what_an_op_converts_is_counted_while_it_runs() -> None:
    alone, _ = seen("mask = x1 > 0\nt = x1 * 2\nreturn x3\n")
    together, _ = seen("mask = x1 > 0\nt = mask * x2\nreturn x3\n")
    assert alone == 1.25
    assert together == 2.25  # the mask, as a float for a moment, and the product
