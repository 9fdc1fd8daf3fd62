"""A replay is the run itself, in float64, on other points; and whatever is not one is refused."""

from __future__ import annotations

import contextlib
import random
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
import torch
from hypothesis import HealthCheck, given, settings, strategies as st
from trace_lab import INPUTS, OUTPUTS, WEIGHTS, evidence, record, replayed, tensors, verified

from pytest_backprop.model import Items, Op, Output, Recording, Ref, Symbol, Value
from pytest_backprop.trace.calls import NotReplayable
from pytest_backprop.trace.graph import DataFlow
from pytest_backprop.trace.lateness import late_values
from pytest_backprop.trace.replay import OWN, Program
from pytest_backprop.trace.validate import Malformed, check_recording

SETTINGS = settings(max_examples=50, suppress_health_check=list(HealthCheck), derandomize=True)
POINTS = tensors(WEIGHTS, INPUTS)
POINTS_W, POINTS_X = POINTS.split([2, 3], 1)

# What a statement may be: `{}` are scalars made before. Constants are halves, so that float32 has
# them exactly. `F` and `D` are casts: to double in the reference, which is double already.
FORMS = (
    "{} + {}", "{} - {}", "{} * {}", "{} / {}", "2.5 - {}", "3 - {}", "1 - {}", "0.5 / {}", "1 / {}",
    "{} * 2", "-{}", "+{}", "{} ** 2", "{} ** 3", "{} ** -1", "{} ** 0.5", "{} ** -1.5", "2 ** {}",
    "1.5 ** {}", "{} ** {}", "{} ** torch.tensor(2)", "{}.pow(2).sqrt()", "torch.exp({})",
    "torch.log({})", "{}.abs().log()", "torch.sqrt({}.abs())", "torch.tanh({})", "torch.sigmoid({})",
    "torch.relu({})", "{}.clamp(min=0.0)", "abs({})", "torch.sin({}) + torch.cos({})",
    "torch.where({} > {}, {}, {})", "torch.where({} > 0, {}, torch.tensor(0.5))",
    "torch.maximum({}, {})", "torch.minimum({}, {})", "({} > {}).F() * {}", "({} >= 0) * {}",
    "torch.reciprocal({})", "torch.square({})", "torch.rsub({}, 2)",
    "torch.add({}, {}, alpha=2)", "torch.sub({}, {}, alpha=0.5)", "torch.addcmul({}, {}, {}, value=2)",
    "torch.addcdiv({}, {}, {})", "torch.lerp({}, {}, 0.5)", "torch.stack([{}, {}]).sum()",
    "torch.stack([{}, {}]).prod()", "torch.stack([{}, {}])[1]", "torch.cat([{}[None], {}[None]])[0]",
    "torch.stack([{}, {}]).view(2, 1).t()[0, 1]", "torch.tensor([{}, {}, 0.5])[1]",
    "torch.tensor([[{}], [{}]]).sum()", "torch.stack([{}, {}]) @ torch.stack([{}, {}])",
    "torch.dot(self.w, torch.stack([{}, {}]))", "torch.ones_like({}) * {}", "{} * torch.tensor(1.5)",
    "{} + torch.zeros(())", "torch.full((2,), 3.0)[0] * {}", "torch.zeros(2)[1] - {}",
    "{}.D().F()", "{}.clone().detach()", "{}.expand(3).sum()", "{}.reshape(1).squeeze(0)",
    "torch.unbind(torch.stack([{}, {}]))[0]", "torch.stack([{}, {}, {}]).split(1)[2].sum()",
    "torch.stack([{}, {}]).flip(0)[0]", "{} * torch.arange(3.0)[2]", "torch.sign({}) * {}",
    "torch.nn.functional.softplus({})", "torch.atan2({}, {})", "torch.hypot({}, {})",
    "torch.einsum('ab,ab->', torch.outer(self.w, self.w) * {}, torch.outer(self.w, self.w))",
    "torch.nn.functional.huber_loss({}, {})", "torch.nn.functional.logsigmoid({})",
    "torch.nn.functional.soft_margin_loss({}, {})",
    "{}.clone().abs_()", "({} * {}).gt_(0.5) * {}", "torch._foreach_mul([{}, {}], [{}, {}])[1]",
    "torch._foreach_add([{}, {}], 0.5)[0]", "torch._foreach_addcmul([{}], [{}], [{}], 0.5)[0]",
    "torch.nn.functional.max_pool1d(torch.stack([{}, {}, {}])[None], 2).sum()",
    "torch.nn.functional.avg_pool2d(torch.stack([{}, {}, {}, {}]).view(1, 2, 2), 2).sum()",
    "torch.nn.functional.pad(torch.stack([{}, {}])[None], (1, 1), mode='replicate').sum()",
    "torch.nn.functional.unfold(torch.stack([{}, {}, {}, {}]).view(1, 1, 2, 2), 2).prod()",
    "torch.nn.functional.fold(torch.stack([{}, {}, {}, {}]).view(1, 4, 1), (2, 2), 2).sum()",
    "torch.nn.functional.group_norm(torch.stack([{}, {}, {}, {}]).view(1, 2, 2), 2)[0, 0, 1]",
    "torch.nn.functional.interpolate(torch.stack([{}, {}]).view(1, 1, 2), scale_factor=2).sum()",
    "torch.nn.functional.pixel_shuffle(torch.stack([{}, {}, {}, {}]).view(4, 1, 1), 2)[0, 1, 0]",
    "torch.triu(torch.outer(self.w, self.w) * {}).sum()", "torch.ones(300).mul({}).mean()",
    "(self.w * {}).sum()", "self.w[-1] * {}", "torch.mean(torch.stack([{}, {}]))",
)  # fmt: skip
BUFFERS = (
    "v = torch.zeros(2)\nv[0] = {}\nv[1] = {}\nT = v.sum()",
    "v = torch.zeros(3)\nv[:2] = torch.stack([{}, {}])\nv[2:] += {}\nT = v[1] * v[2]",
    "v = torch.empty(2)\nv[0] = {}\nv[1].copy_({})\nv *= 2\nT = v[0] - v[1]",
    "v = torch.ones(2, 2)\nv[1, 0] = {}\nv.t()[1, 0] -= {}\nT = v.sum()",
    "v = torch.zeros(2)\nv[[1, 0]] = torch.stack([{}, {}])\nT = v[0] / 2",
    "v = {}.clone()\nv += {}\nv *= {}\nT = v / 2",
    "v = {}.clone()\nv.mul_(2).sub_(1).neg_()\nT = v + {}",
    "v = torch.stack([{}, {}])\nv[v > 0.3] = 0\nT = v.sum()",
    "v = torch.outer(self.w, self.w) * {}\nv[self.w > 0.4] = 0.5\nT = v.sum()",
    "v = torch.outer(self.w, self.w)\nv[v > {}] = {}\nT = v[0].sum()",
    "v = torch.zeros_like(self.w)\nv[0].add_({})\na, b = v\nb.fill_({})\nT = a * b + v[1]",
)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    names = ["w0", "w1", "x1", "x2", "x3"]
    lines = ["w0, w1 = self.w"]
    made: list[str] = []
    for number in range(draw(st.integers(1, 8))):
        form = draw(st.sampled_from(FORMS + BUFFERS))
        operands = [draw(st.sampled_from(names)) for _ in range(form.count("{}"))]
        text = form.format(*operands)
        target = f"t{number}"
        lines.append(
            text.replace("T = ", f"{target} = ") if "T = " in text else f"{target} = {text}"
        )
        made.append(target)
        names.append(target)
    a, b = draw(st.sampled_from(made)), draw(st.sampled_from(made))
    lines.append(f"y = {made[-1]} + {a}")
    lines.append(f"self.w.grad = torch.stack([{b}, {made[-1]} * x1])")
    return "\n".join([*lines, "return y"])


class Module:
    """What a pass sees of its module, in float64."""

    def __init__(self, weights: torch.Tensor) -> None:
        self.w = torch.nn.Parameter(weights.clone())


@contextlib.contextmanager
def in_double() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def in_float64(body: str, w: torch.Tensor, x: torch.Tensor) -> list[float]:
    """The program itself in float64 at one point: value, gradients."""
    text = body.replace(".F()", ".double()").replace(".D()", ".double()")
    lines = "\n".join("    " + line for line in text.split("\n"))
    namespace: dict[str, Any] = {"torch": torch}
    exec(f"def run(self, x1, x2, x3):\n{lines}", namespace)
    module = Module(w)
    with in_double(), torch.no_grad():
        y = namespace["run"](module, *x.clone())
    assert module.w.grad is not None
    return [y.item(), *module.w.grad.tolist()]


@given(bodies())
@SETTINGS
def test_a_replay_is_the_run_in_float64(body: str) -> None:
    text = body.replace(".F()", ".float()").replace(".D()", ".double()")
    recording = record(text)
    found = replayed(recording)
    for index, (w, x) in enumerate(zip(POINTS_W, POINTS_X, strict=True)):
        wanted = torch.tensor(in_float64(body, w, x), dtype=torch.float64)
        got = torch.cat([numbers[index] for numbers in found.outputs.values()])
        torch.testing.assert_close(got, wanted, rtol=1e-9, atol=1e-12, equal_nan=True)


@given(bodies())
@SETTINGS
def test_a_replay_as_recorded_gives_the_childs_own_numbers(body: str) -> None:
    seen = evidence(body.replace(".F()", ".float()").replace(".D()", ".double()"))
    assert verified(seen).how in ("replayable", "unexplained"), body


def test_many_points_are_those_one_by_one() -> None:
    """Chunks join in order: 3 points of one chunk are not 3 chunks of one point."""
    body = (
        "w0, w1 = self.w\nv = torch.zeros(2)\nv[0] = w0 * x1\nv[1] = w1 / x2\ny = v[0] ** v[1]\n"
        "self.w.grad = v\nreturn y"
    )
    program = Program(record(body))
    generator = torch.Generator().manual_seed(1)
    points = torch.rand(500, 5, generator=generator, dtype=torch.float64) + 0.1
    w, x = points.split([2, 3], 1)
    whole = program.run(points, keeps=True)
    torch.testing.assert_close(
        whole.outputs["value"][:, 0], (w[:, 0] * x[:, 0]) ** (w[:, 1] / x[:, 1])
    )
    for i in (0, 17, 499):
        one = program.run(points[i : i + 1], keeps=True)
        assert one.outputs["value"].item() == pytest.approx(
            whole.outputs["value"][i].item(), rel=1e-12
        )
        assert one.ops.keys() == whole.ops.keys()


def test_chunks_join_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(record("w0, w1 = self.w\ny = w0 * x1\nself.w.grad = torch.stack([x1, x2])\n"
                             "return y"))  # fmt: skip
    whole = program.run(POINTS, keeps=True)
    monkeypatch.setattr("pytest_backprop.trace.replay.CHUNK_BYTES", 1)
    parts = program.run(POINTS, keeps=True)
    assert all(torch.equal(whole.outputs[k], parts.outputs[k]) for k in whole.outputs)
    assert all(torch.equal(whole.ops[k], parts.ops[k]) for k in whole.ops)


# -- what is refused ------------------------------------------------------------------------

REFUSED = {
    "random": ("y = y * torch.empty(()).uniform_()", "random"),
    "dropout": ("y = torch.nn.functional.dropout(y, 0.5)", "random"),
    "large": ("y = y * torch.ones(70_000).sum()", "size"),
    "not of the core": ("y = y * torch.linalg.matrix_exp(y.view(1, 1))[0, 0]", "linalg_matrix_exp"),
    "set_": ("y = y * 1\ny.set_(x1 * 2)", "set_"),
    "resize_": ("y = y * 1\ny.resize_(1)\ny = y[0]", "resize_"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_run_again_is_refused_with_a_reason(name: str) -> None:
    line, reason = REFUSED[name]
    recording = record(f"w0, w1 = self.w\ny = w0 * x1\n{line}\nself.w.grad = torch.stack([x1, x2])\n"
                       "return y")  # fmt: skip
    with pytest.raises(NotReplayable, match=reason) as refused:
        Program(recording).run(POINTS)
    assert refused.value.op is None or recording.ops[refused.value.op]


def test_numbers_that_a_run_drew_are_what_it_drew() -> None:
    found = replayed(record("w0, w1 = self.w\ntorch.manual_seed(3)\ny = w0 * torch.rand(())\n"
                            "self.w.grad = torch.stack([x1, x2])\nreturn y"))  # fmt: skip
    drawn = torch.rand((), generator=torch.Generator().manual_seed(3))
    torch.testing.assert_close(found.outputs["value"][:, 0], POINTS_W[:, 0] * drawn.double())


def test_a_value_that_is_read_for_its_shape_alone() -> None:
    found = replayed(record("w0, w1 = self.w\nt = w0 * x1\ny = torch.ones_like(t) * w1\n"
                            "self.w.grad = torch.stack([x1, x2])\nreturn y"))  # fmt: skip
    torch.testing.assert_close(found.outputs["value"][:, 0], POINTS_W[:, 1])


def test_a_shape_that_was_itself_taken_from_a_shape() -> None:
    recording = record("w0, w1 = self.w\nt = w0 * x1\nu = torch.ones_like(t) * x2\n"
                       "y = torch.ones_like(u) * w1\n"
                       "self.w.grad = torch.stack([x1, y])\nreturn y")  # fmt: skip
    for found in (replayed(recording), Program(recording).run_each(POINTS)):
        assert torch.equal(found.outputs["value"][:, 0], POINTS_W[:, 1])


def test_rsub_of_tensors() -> None:
    assert replayed(record("w0, w1 = self.w\ny = torch.rsub(w0, x1)\n"
                           "self.w.grad = torch.stack([x1, x2])\nreturn y")).outputs["value"].isfinite().all()  # fmt: skip


def test_a_pass_through_vmap_is_judged() -> None:
    """torch casts the number of `v * 2` with an op of its own there."""
    seen = evidence("w0, w1 = self.w\ny = torch.vmap(lambda v: v * 2)(self.w * x1)[0]\n"
                    "self.w.grad = torch.stack([x1, x2])\nreturn y")  # fmt: skip
    assert verified(seen).how in ("replayable", "unexplained")


# -- hostile recordings ---------------------------------------------------------------------


def chain(target: str, args: tuple[Any, ...], **value: Any) -> Recording:
    """w0 * x1, then one op with a given target and operands, whose output is y."""
    base = record("w0, w1 = self.w\ny = w0 * x1\nself.w.grad = torch.stack([x1, x2])\nreturn y")
    number = len(base.values)
    refs = tuple(a.value for a in args if isinstance(a, Ref))
    made = Value(**({"storage": 10**6, "shape": (), "strides": (), "offset": 0, "dtype": "float32",
                     "origin": "op"} | value))  # fmt: skip
    op = Op(target, args, {}, refs, (), (number,), 0)
    return msgspec.structs.replace(
        base,
        values=(*base.values, made),
        ops=(*base.ops, op),
        live=(*base.live, 0),
        outputs={"value": Output(number)},
    )


Y = Ref(6)  # w0 * x1
BAD_TARGETS = (
    "aten::from_file", "aten::resize_", "aten::set_.source_Tensor", "aten::rand", "aten::nope",
    "nope", "", "aten::", "aten::mul.nope", "aten::mul.Tensor.Tensor", "prims::mul", "python::item",
    "os::system", "aten::mul;x", "aten::" + "a" * 70,
    "aten::randn_like", "aten::bernoulli", "aten::eig", "aten::linalg_inv", "aten::data",
    "aten::_fused_adam_", "aten::record_stream", "aten::save", "torch::load", "aten::__class__",
    "aten::__init__", "aten::name",
)  # fmt: skip
NOT_OVERLOADS = ("aten::mul.__class__", "aten::mul.overloads", "aten::mul._schemas")


def replay(recording: Recording) -> None:
    program = Program(recording)
    program.run(POINTS, keeps=True)
    program.run_each(POINTS, dtypes=OWN)


@pytest.mark.parametrize("target", BAD_TARGETS)
def test_ops_that_are_not_plain_arithmetic_are_refused(target: str) -> None:
    with pytest.raises(NotReplayable):
        replay(chain(target, (Y,)))


@pytest.mark.parametrize("target", NOT_OVERLOADS)
def test_attributes_of_torchs_own_objects_are_no_ops(target: str) -> None:
    with pytest.raises(NotReplayable):
        replay(chain(target, (Y,)))


HUGE: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "zeros": ("aten::zeros", (Items((10**6,)),), {}),
    "zeros of many": ("aten::zeros", (Items((1000, 1000)),), {}),
    "zeros of 2**62": ("aten::zeros", (Items((2**62,)),), {}),
    "zeros of negative": ("aten::zeros", (Items((-(10**6),)),), {}),
    "eye": ("aten::eye", (10**5,), {}),
    "eye of few rows": ("aten::eye", (4000,), {}),
    "tril_indices": ("aten::tril_indices", (4000, 4000), {}),
    "replication_pad2d": ("aten::replication_pad2d", (Y, Items((10**6, 0, 0, 0))), {}),
    "upsample_nearest2d": ("aten::upsample_nearest2d", (Y, Items((10**4, 10**4))), {}),
    "upsample_nearest2d by factors": (
        "aten::upsample_nearest2d.vec",
        (Y, None, Items((1e5, 1e5))),
        {},
    ),
    "a list, repeated": ("aten::mul.left_t", (Items((1,)), 10**9), {}),
    "arange": ("aten::arange", (10**7,), {}),
    "arange by a small step": ("aten::arange.start_step", (0.0, 1.0, 1e-7), {}),
    "expand": ("aten::expand", (Y, Items((10**6,))), {}),
    "repeat": ("aten::repeat", (Y, Items((10**6,))), {}),
    "as_strided": ("aten::as_strided", (Y, Items((10**6,)), Items((0,))), {}),
    "as_strided outside": ("aten::as_strided", (Y, Items((1,)), Items((1,)), 10**6), {}),
    "as_strided before": ("aten::as_strided", (Y, Items((1,)), Items((1,)), -5), {}),
    "full": ("aten::full", (Items((10**6,)), 1.0), {}),
    "new_zeros": ("aten::new_zeros", (Y, Items((10**6,))), {}),
    "stack of many": ("aten::stack", (Items((Y,) * 70),), {}),
    "nested assembly": ("torch::tensor", (Items((Items((1.0,) * 70_000),)),), {}),
    "element outside": ("torch::element", (Y, 5), {}),
    "an empty stack": ("aten::stack", (Items(()),), {}),
    "an empty assembly": ("torch::tensor", (Items(()),), {}),
    "an assembly of nothing": ("torch::tensor", (), {}),
    "an assembly of text": ("torch::tensor", ("x",), {}),
    "a constant without data": ("torch::constant", (), {"shape": (3,), "strides": (1,)}),
    "too few operands": ("aten::mul.Tensor", (Y,), {}),
    "too many": ("aten::mul.Tensor", (Y, Y, Y, Y), {}),
    "text for a tensor": ("aten::mul.Tensor", ("a", "b"), {}),
    "no such dtype": ("aten::sum", (Y, Symbol("float31")), {}),
    "a huge integer": ("aten::mul.Tensor", (Y, 2**63), {}),
    "a cast of a list": ("aten::_to_copy", (Items((Y,)),), {}),
    "a cast of nothing": ("aten::_to_copy", (), {}),
    "select outside": ("aten::select.int", (Y, 0, 99), {}),
    "a matrix product": ("aten::mm", (Y, Y), {}),
    "cumsum along nothing": ("aten::cumsum", (Y, 9), {}),
}


@pytest.mark.parametrize("name", HUGE)
def test_operands_that_no_run_has_are_refused_and_allocate_nothing(name: str) -> None:
    target, args, value = HUGE[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(NotReplayable):
        replay(chain(target, args, **value))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB


TAMPER: dict[str, Callable[[Recording], Recording]] = {
    "a result outside": lambda r: msgspec.structs.replace(r, outputs={"value": Output(10**6)}),
    "a negative result": lambda r: msgspec.structs.replace(r, outputs={"value": Output(-1)}),
    "a gradient outside": lambda r: msgspec.structs.replace(r, outputs={"grad.w0": Output(999, 0)}),
    "a third gradient": lambda r: msgspec.structs.replace(r, outputs={"grad.w2": Output(6)}),
    "a gradient's element": lambda r: msgspec.structs.replace(
        r, outputs={"grad.w0": Output(6, -1)}
    ),
    "a read outside": lambda r: change_op(r, reads=(10**6,)),
    "a read of its own output": lambda r: change_op(r, reads=(len(r.values) - 1,)),
    "an operand outside": lambda r: change_op(r, args=(Ref(10**6),)),
    "a nested operand outside": lambda r: change_op(r, args=(Items((Items((Ref(10**6),)),)),)),
    "a negative operand": lambda r: change_op(r, args=(Ref(-1),)),
    "a forward operand": lambda r: change_op(r, args=(Ref(len(r.values) - 1),)),
    "an output outside": lambda r: change_op(r, outputs=(10**6,)),
    "a write outside": lambda r: change_op(r, writes=(10**6,)),
    "a statement outside": lambda r: change_op(r, statement=10**6),
    "a leaf outside": lambda r: change_value(r, leaf=4),
    "a negative leaf": lambda r: change_value(r, leaf=-1),
    "another shape": lambda r: change_value(r, shape=(6,)),
    "a shape without strides": lambda r: change_value(r, shape=(2, 1)),
    "a negative shape": lambda r: change_value(r, shape=(-2,)),
    "a negative offset": lambda r: change_value(r, offset=-1),
    "an enormous shape": lambda r: change_value(r, shape=(2**40,)),
    "many dimensions": lambda r: change_value(r, shape=(1,) * 65, strides=(1,) * 65),
    "live counts too few": lambda r: msgspec.structs.replace(r, live=r.live[1:]),
    "lives before birth": lambda r: change_life(r, last_use=-1),
    "lives after the end": lambda r: change_life(r, last_use=10**6),
    "dead before used": lambda r: change_life(r, dead_by=0),
    "dead after the end": lambda r: change_life(r, dead_by=10**6),
    "deep operands": lambda r: change_op(r, args=(deep(80),)),
}


def change_op(recording: Recording, **fields: Any) -> Recording:
    ops = (*recording.ops[:-1], msgspec.structs.replace(recording.ops[-1], **fields))
    return msgspec.structs.replace(recording, ops=ops)


def change_value(recording: Recording, **fields: Any) -> Recording:
    values = (msgspec.structs.replace(recording.values[0], **fields), *recording.values[1:])
    return msgspec.structs.replace(recording, values=values)


def change_life(recording: Recording, **fields: Any) -> Recording:
    lives = (msgspec.structs.replace(recording.lives[0], **fields), *recording.lives[1:])
    return msgspec.structs.replace(recording, lives=lives)


def deep(levels: int) -> Items:
    made = Items(())
    for _ in range(levels):
        made = Items((made,))
    return made


@pytest.mark.parametrize("name", TAMPER)
def test_a_recording_that_cannot_have_been_made_is_malformed(name: str) -> None:
    recording = record(
        "w0, w1 = self.w\ny = w0 * x1\nself.w.grad = torch.stack([x1, x2])\nreturn y"
    )
    check_recording(recording, 5, OUTPUTS)
    with pytest.raises(Malformed):
        check_recording(TAMPER[name](recording), 5, OUTPUTS)


# -- fuzzing --------------------------------------------------------------------------------

BASES = (
    """
w0, w1 = self.w
t = w0 * x1
u = w1 * x2
v = torch.exp(t) / (1 - u ** 2) + 2.0 ** t
g = torch.zeros(2)
g[0] = u * x1
g[1].copy_(t * x2)
h = torch.tensor([t, 0.5]).sum().double().float()
q = torch.where(t > 0, t, torch.tensor(3.0))
z = torch.full_like(t, 3.0) + torch.cat([t[None], u[None]])[0]
y = t * u + x3 + v + h + q + z
self.w.grad = g
return y
""",
    """
w0, w1 = self.w
t = w0 * x1
u = w1 * x2
v = t.reciprocal() / (1 - u ** 2)
g = torch.zeros(2)
g[0] = u * x1
g[1].copy_(t * x2)
z = torch.ones_like(t) + torch.cat([t[None], u[None]])[0] * torch.addcmul(t, u, v)
y = t * u + x3 + v + z + torch.tensor([t, 0.5])[0] + float(t)
y += u
self.w.grad = g.clone()
return y
""",
)
NAMES = ("weight", "input", "op", "constant", "foreign", "student", "float32", "float64", "int64",
         "bool", "complex64", "float16")  # fmt: skip
INTEGERS = (-1, 0, 1, 2, 3, 5, 8, 13, 20, 63, 64, 65, 10**6, 2**31, 2**62, -(2**63))
FLOATS = (0.0, -1.0, 0.5, 64.0, 1e308, 1e-320, float("inf"), float("nan"))
NEW: tuple[Any, ...] = (
    None, True, 1, 0.5, "float32", {"type": "v", "value": 3}, {"type": "v", "value": 8},
    {"type": "l", "items": [2]}, {"type": "l", "items": [{"type": "v", "value": 6}] * 2},
    {"type": "s", "text": "float16"}, {"type": "c", "real": 1.0, "imag": 2.0},
)  # fmt: skip


TARGETS = (*BAD_TARGETS, *NOT_OVERLOADS, *(entry[0] for entry in HUGE.values()))


def mutate(source: random.Random, thing: Any, key: str = "") -> Any:
    """The same nest of plain data, with one small change somewhere."""
    if isinstance(thing, dict) and thing:
        if source.random() < 0.05:
            return source.choice(NEW)
        chosen = source.choice(list(thing))
        return thing | {chosen: mutate(source, thing[chosen], chosen)}
    if isinstance(thing, list | tuple):
        made = list(thing)
        what = source.random()
        if not made or what < 0.08:
            made.insert(source.randint(0, len(made)), source.choice(NEW))
        elif what < 0.14:
            del made[source.randrange(len(made))]
        elif what < 0.2:
            made[source.randrange(len(made))] = source.choice(made)
        else:
            at = source.randrange(len(made))
            made[at] = mutate(source, made[at])
        return made
    if isinstance(thing, bool):
        return not thing
    if isinstance(thing, str):
        return source.choice(TARGETS) if key == "target" else (source.choice(NAMES))
    if isinstance(thing, int):
        return source.choice((thing + 1, thing - 1, source.randint(0, 40), source.choice(INTEGERS)))
    if isinstance(thing, float):
        return source.choice(FLOATS)
    return source.choice(NEW)


def stages(recording: Recording) -> Iterator[tuple[str, Callable[[], object]]]:
    """All that the grader does with a recording, one thing at a time."""
    flow = DataFlow(recording)
    for part in ("reached", "looked_at", "rooms", "sources"):
        yield part, lambda part=part: getattr(flow, part)
    yield "late", lambda: late_values(flow)
    yield "replay", lambda: replay(recording)


@pytest.fixture(scope="module")
def plain_recordings() -> list[Any]:
    made = [record(body) for body in BASES]
    for recording in made:
        check_recording(recording, 5, OUTPUTS)
        replay(recording)
    return [msgspec.to_builtins(recording) for recording in made]


def test_mutated_recordings_are_refused_or_replayed_and_nothing_else(
    plain_recordings: list[Any],
) -> None:
    source = random.Random(0)
    well_formed = 0
    wrong: dict[str, str] = {}
    for _ in range(1_500):
        thing = source.choice(plain_recordings)
        for _ in range(source.choice((1, 1, 1, 2, 4))):
            thing = mutate(source, thing)
        try:
            recording = msgspec.msgpack.decode(msgspec.msgpack.encode(thing), type=Recording)
            check_recording(recording, 5, OUTPUTS)
        except (msgspec.DecodeError, OverflowError, Malformed):
            continue
        well_formed += 1
        for name, stage in stages(recording):
            start = time.thread_time()
            try:
                stage()
            except NotReplayable:
                pass
            except Exception as error:
                wrong.setdefault(f"{name} {type(error).__name__}", str(error)[:60])
            assert time.thread_time() - start < 10
    assert well_formed > 100
    assert wrong == {}


def test_a_change_is_made_to_what_is_calculated_or_zero_and_not_to_what_is_moved() -> None:
    recording = record(
        "a = self.w[0] * x1\nb = torch.stack([a, a])\nb.mul_(x2)\nc = torch.zeros(2)\nc[0] = b[1]\n"
        "self.w.grad = c.clone()\nreturn a"
    )
    seen: list[str] = []

    def twice(position: int, tensor: torch.Tensor) -> torch.Tensor:
        seen.append(recording.ops[position].target.split("::")[1].split(".")[0])
        return 2 * tensor

    ran = Program(recording).run(tensors([[3.0, 1.0]], [[5.0, 7.0, 1.0]]), change=twice)
    assert seen == ["mul", "mul_", "zeros"]
    assert {name: numbers.tolist() for name, numbers in ran.outputs.items()} == {
        "value": [[30.0]], "grad.w0": [[420.0]], "grad.w1": [[0.0]],
    }  # fmt: skip
