"""Memory seen from outside: what the recorder's lives say in vectors, and whole submissions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_backprop.bank import Variant, load_bank
from pytest_backprop.checks.case import Outside
from pytest_backprop.fuzz import generic_points
from pytest_backprop.model import Recording
from pytest_backprop.outside import SUSPECT, autograd_text, outside, seen_sizes
from pytest_backprop.reference import expected
from pytest_backprop.weighing import Scales
from pytest_backprop.worker.client import Outcome, Worker
from pytest_backprop.worker.protocol import Limits

sys.path.insert(0, str(Path(__file__).parent / "trace"))
from trace_lab import record

ROOT = Path(__file__).parent.parent
BANK = load_bank(ROOT / "variants")


def seen(body: str) -> tuple[float, float]:
    return seen_sizes(record(body), "float32")


@given(st.integers(1, 12), st.integers(0, 12))
@settings(deadline=None, max_examples=25)
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


def test_a_stack_takes_as_many_as_it_holds_and_a_mask_a_quarter() -> None:
    assert seen("self.w.grad = torch.stack([x1, x2])\nreturn x3\n") == (2, 2)
    assert seen("self.w.grad = torch.zeros(2)\nreturn x3\n") == (2, 2)
    peak, _ = seen("mask = x1 > 0\nreturn x3\n")
    assert peak == 0.25


@pytest.fixture(scope="module")
def scales() -> Iterator[Scales]:
    worker = Worker()
    worker.ready()
    made = Scales(worker, Limits(20.0, 2**30), None)
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
        y = model.my_forward_backward(*points.inputs[row])
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
    assert said == "the worker that runs it failed"
    stopped = Outcome("timeout", "stopped after 5 s", None, "", 5.0, 0)
    assert outside(recording, "float32", stopped, None) == "stopped after 5 s"


def test_scales_whose_worker_is_gone_give_nothing_and_come_back(scales: Scales) -> None:
    worker = Worker()
    worker.ready()
    own = Scales(worker, Limits(20.0, 2**30), None)
    variant = BANK.values()[1]
    unit = autograd_text(variant)
    assert own.weigh((unit,), variant).result() is not None
    worker.close()
    assert own.weigh((unit,), variant).result() is not None
    own.close()
    worker.close()


def test_only_ops_that_take_memory_for_their_result_alone_can_tell(scales: Scales) -> None:
    variant = BANK.values()[0]
    outcome = weighed(scales, variant)
    plain = record("return x1 * 2\n")
    judged = outside(plain, "float32", outcome, outcome)
    assert isinstance(judged, Outside)
    assert judged.hidden > 0, "autograd's memory is not that of one multiplication"
    assert judged.peak - judged.seen_peak > SUSPECT
    sorting: Recording = record("return torch.sort(x1 * 2)[0]\n")
    told = outside(sorting, "float32", outcome, outcome)
    assert isinstance(told, Outside)
    assert told.hidden == 0


def test_what_an_op_converts_is_counted_while_it_runs() -> None:
    alone, _ = seen("mask = x1 > 0\nt = x1 * 2\nreturn x3\n")
    together, _ = seen("mask = x1 > 0\nt = mask * x2\nreturn x3\n")
    assert alone == 1.25
    assert together == 2.25  # the mask, as a float for a moment, and the product
