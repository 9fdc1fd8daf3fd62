"""The law of recordings: none that the recorder itself makes may be called forged.

Programs are drawn statement by statement: numbers leave tensors early, late and twice, alone, in
lists, dicts and comprehensions, through helpers, classes, closures, generators and `match`; values
are written in place and into `out=`, are double for a while, are dropped or are not. They need not
be right, only run. Right programs in every style of `tests/accuracy` are held to the same law.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from faults import NoPlace
from hypothesis import HealthCheck, given, settings, strategies as st
from made_variants import make_variant
from styles import STYLES, make_styled
from submissions import Discarded
from trace_lab import OUTPUTS, run, source, verified

from pytest_backprop.model import Evidence
from pytest_backprop.trace.validate import check_recording

HELPERS = """
import copy
from dataclasses import dataclass
from functools import partial, reduce
from typing import NamedTuple
import contextlib

@dataclass
class Box:
    t: object
class Pair(NamedTuple):
    a: object
    b: object
class V:
    def __init__(self, t):
        self.t = t
    def __mul__(self, other):
        return V(self.t * other.t)
    def __float__(self):
        return float(self.t)
def number(t):
    return t.item()
def numbers(*ts):
    return [float(t) for t in ts]
def later(t):
    k = float(t)
    yield k
    yield k * 2
@contextlib.contextmanager
def value(t):
    yield float(t)
"""

NUMBERS = (
    "{k} = float({a})",
    "{k} = {a}.item()",
    "{k} = {a}.tolist()",
    "{k} = float({a} * {b})",
    "{k} = ({a} + {b}).item()",
    "{k} = torch.stack([{a}, {b}]).tolist()[1]",
    "{k} = float({a}.detach().numpy())",
    "{k} = float({a}.double())",
    "{k} = ({a} * {b}).double().item()",
    "{k} = number({a} * {b})",
    "{k} = numbers({a}, {a} * {b})[1]",
    "{k} = [v.item() for v in ({a}, {b})][0]",
    "{k} = {{'k': float(v) for v in ({a}, {b})}}['k']",
    "{k} = (lambda: float({a}))()",
    "{k} = next(later({a} * {b}))",
    "{k} = float(V({a}) * V({b}))",
    "{k} = list(map(float, [{a}, {a} + {b}]))[1]",
    "{k} = reduce(lambda p, q: float(p) + float(q), [{a}, {b}])",
    "{k} = (held := {a} * {b}).item(); held = None",
    "{k} = float({k0})",
    "{k} = sorted([{a}.item(), {b}.item()])[0]",
    "with value({a} * {b}) as {k}:\n    pass",
    "match {a}.item():\n    case {k}:\n        pass",
    "for {k} in [float({a}), float({a})]:\n    pass",
    "{k} = float(f'{{{a}.item()}}')",
)
TENSORS = (
    "{t} = {a} * {b}",
    "{t} = {a} + {k0}",
    "{t} = {k0} * {a}",
    "{t} = torch.tensor({k0})",
    "{t} = torch.tensor([{k0}, float({a})])[0]",
    "{t} = torch.as_tensor({k0}) * {a}",
    "{t} = torch.full((2,), {k0})[1]",
    "{t} = torch.full_like({a}, {k0})",
    "{t} = torch.scalar_tensor({k0})",
    "{t} = torch.asarray([{k0}, {k0}]).sum()",
    "{t} = torch.Tensor([{k0}])[0]",
    "{t} = torch.Tensor([{a}, {b}])[0]",
    "{t} = torch.tensor([{a}, {k0}, 1.0]).sum()",
    "{t} = {a}.new_tensor({k0})",
    "{t} = {a}.new_full((), {k0})",
    "{t} = torch.zeros(()).fill_({k0})",
    "{t} = torch.zeros(2); {t}[0] = {k0}; {t}[1] = {a}; {t} = {t}.sum()",
    "{t} = torch.from_numpy(np.array([{k0}, float({a})], dtype=np.float32))[0]",
    "{t} = torch.from_numpy({a}.detach().numpy().copy())",
    "{t} = torch.tensor(np.float32({k0}))",
    "{t} = copy.deepcopy({a})",
    "{t} = copy.copy({a} * {b})",
    "{t} = {a}.double(); {t} = {t} * {k0}; {t} = {t}.float()",
    "{t} = {a}.clone(); {t} *= {k0}",
    "{t} = {a}.clone().mul_({b}).add_({k0})",
    "{t} = torch.empty(()); torch.mul({a}, {b}, out={t})",
    "{t} = torch.add({a}, {b}, alpha={k0})",
    "{t} = torch.addcmul({a}, {a}, {b}, value={k0})",
    "{t} = torch.lerp({a}, {b}, {k0})",
    "{t} = {a}.clamp(max={k0})",
    "{t} = torch.where({a} > {k0}, {a}, {b})",
    "{t} = {a} if {a} > {k0} else {b} * 2",
    "{t} = torch.stack([{a}, {b}]).sort().values[0]",
    "{t} = torch.stack([{a}, {b}]).cumsum(0).flip(0)[0]",
    "{t} = torch.einsum('i,i->', torch.stack([{a}, {b}]), torch.stack([{b}, {a}]))",
    "{t} = torch.stack([{a}, {b}]).view(1, 2) @ torch.ones(2, 1); {t} = {t}.squeeze()",
    "{t} = torch.zeros(3).index_put((torch.tensor([1]),), {a}.reshape(1)).sum()",
    "{t} = torch.stack([{a}, {b}])[torch.tensor([1, 0])][0]",
    "{t} = Box({a} * {b}).t",
    "{t} = Pair({a}, {a} + {b}).b",
    "{t} = partial(torch.mul, {a})({b})",
    "{t} = (V({a}) * V({b})).t",
    "{t} = sum([{a}, {b}, {k0}])",
    "{t} = {a}.data",
    "{t} = {a}.detach()",
    "{t} = {a}.reshape(1).expand(4)[2]",
    "{t} = nn.Parameter({a}.detach() * 2).data",
    "{t} = torch.zeros(2); {t}.data = torch.stack([{a}, {b}]); {t} = {t}[1]",
    "{t} = torch.stack([{a}, {b}]).unbind()[0]",
    "with torch.no_grad():\n    {t} = {a} * {b}",
    "with torch.enable_grad():\n    {t} = {a} * {b}",
    "with torch.inference_mode():\n    {t} = ({a} * {b}).clone()",
    "try:\n    {t} = {a} / {b}\nfinally:\n    pass",
    "print({a}, f'{{{b}}}'); {t} = {a}",
    "assert {a}.shape == (); {t} = -{a}",
    "{t} = {a}.reshape((1,) * 6).sum()",
    "{t} = torch.zeros(0, 3).sum() + {a}",
)
GRADIENTS = (
    "self.w.grad = torch.tensor([{k0}, {k1}])",
    "self.w.grad = torch.tensor([float({a}), {k0}])",
    "self.w.grad = torch.stack([{a}, {b}])",
    "self.w.grad = torch.zeros(2)\nself.w.grad[0] = {k0}\nself.w.grad[1] += {a}",
    "self.w.grad = torch.Tensor([{k0}, {k1}])",
    "self.w.grad = torch.full((2,), {k1})",
    "self.w.grad = torch.from_numpy(np.array([{k0}, {a}.item()], dtype=np.float32))",
)


@st.composite
def passes(draw: st.DrawFn) -> str:
    """The body of a pass that runs, whatever it computes."""
    tensors = ["x1", "x2", "x3", "w0", "w1"]
    taken = ["0.5"]
    lines = ["w0, w1 = self.w", "torch.set_grad_enabled(False)"]

    def filled(template: str, **made: str) -> list[str]:
        a, b = (draw(st.sampled_from(tensors)) for _ in "ab")
        k0, k1 = (draw(st.sampled_from(taken)) for _ in "01")
        return template.format(a=a, b=b, k0=k0, k1=k1, **made).split("\n")

    for step in range(draw(st.integers(1, 12))):
        if draw(st.booleans()):
            lines += filled(draw(st.sampled_from(NUMBERS)), k=f"k{step}")
            taken.append(f"k{step}")
        else:
            lines += filled(draw(st.sampled_from(TENSORS)), t=f"t{step}")
            tensors.append(f"t{step}")
        mine = [t for t in tensors if t.startswith("t")]
        if mine and draw(st.booleans()):
            gone = draw(st.sampled_from(mine))
            tensors.remove(gone)
            lines.append(draw(st.sampled_from((f"del {gone}", f"{gone} = None", f"{gone} = 0"))))
    lines += filled(draw(st.sampled_from(GRADIENTS)))
    ends = ("return {a}", "return {a} * {b}", "return {k0}", "return {a} * {k0}")
    lines += filled(draw(st.sampled_from(ends)))
    return "\n".join(lines)


def hold(text: str) -> Evidence:
    """Runs a text under the recorder; each recording must be one that is believed."""
    seen = run(text, points=3, recorded=3)
    for recording in (*seen.pass_recordings, *seen.forward_recordings):
        check_recording(recording, 5, OUTPUTS)
    return seen


@given(passes())
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_no_recording_of_ours_is_called_forged(body: str) -> None:
    seen = hold(source(body, HELPERS))
    assert seen.pass_recordings, body


@pytest.mark.long
@given(passes())
@settings(max_examples=1_000, suppress_health_check=list(HealthCheck))
def test_no_recording_of_ours_is_called_forged_in_a_thousand(body: str) -> None:
    assert hold(source(body, HELPERS)).pass_recordings, body


UNLIKE = ("branch by if", "branch by item", "python's max", "asserts by comparing")
"""Styles that decide on values: one recording need not explain all runs."""
KINKS = re.compile("relu|maximum|minimum|abs")
"""Nor need it where the variant has a kink: two numbers may be equal on one side of it alone."""


def styled(seed: int, names: list[str]) -> None:
    """A right program in each style is believed, and its replay is its run."""
    variant = make_variant(seed)
    kinked = KINKS.search(variant.text) is not None
    for name in names:
        try:
            text = make_styled(variant, seed, name).text
        except (NoPlace, Discarded):
            continue
        seen = hold(text)
        assert all(o.fault is None for o in seen.pass_runs), f"{name}, seed {seed}\n{text}"
        found = verified(seen)
        if name not in UNLIKE and not kinked and found.how != "unsupported":
            assert found.how == "replayable", f"{name}, {seed}: {found.how} {found.reason}\n{text}"


@pytest.mark.long
def test_right_programs_in_some_styles_are_believed() -> None:
    names = Random(0).sample(list(STYLES), 25)
    styled(11, names)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20, 23))
def test_right_programs_in_all_styles_are_believed(seed: int) -> None:
    styled(seed, list(STYLES))
