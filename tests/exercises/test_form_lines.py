"""The wrong line in the forms in which courses ask: where gradients are sent, where a pass branches on values, where one
size is too large for a search, where a helper is called, where a line runs no op."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from forms_grading import TASKS, Grading, grading
from forms_oracle import read_task

from pytest_backprop.model import LINES, Finding

FOLDER = Path(__file__).parent.parent / "submissions_forms"
RIGHT = {path.stem: path for kind in ("keys", "styles") for path in (FOLDER / kind).glob("*.py")}
"""Answer keys, and right passes in other styles."""


@pytest.fixture(scope="module")
def graded() -> Iterator[Grading]:
    with grading() as grade:
        yield grade


FAULTS = {
    "of what is sent": ("lstm_step_v520", "di * i * (1 - i)", "di * (1 - i)"),
    "a kink": ("relu_v658", 'z2 @ self.parameters["W2"].T', 'z1 @ self.parameters["W2"].T'),
    "what only gradients read": ("functions_v605", "(W2 * W2).sum()", "W2.sum()"),
    "a branch": ("loops_v601", "dW /= num_train", "dW /= num_classes"),
    "a mask": ("vectorized_v602", "mask[margins > 0]", "mask[margins < 0]"),
    "what a helper returns": ("logistic_v609", "sigmoid(z) - y", "sigmoid(z)"),
    "what a helper is called with": ("logistic_v609", "sigmoid(z) - y", "sigmoid(y) - y"),
    "another size": ("conv_naive_v516", "dw[f] += window", "dw[f] = window"),
    "another name": ("mse_mean_v524", "diff = pred - target", "diff = pred"),
    "no derivative": ("tanh_v507", "dx = (1 - out**2) * dout", "dx = dout"),
    "the value itself": ("dropout_mask_v509", "out = x * keep", "out = keep"),
    "none in a module": ("elu_v628", "gradOutput * slope", "gradOutput"),
    "in each round of a loop over layers": ("deep_v610", ' + params["b" + str(l)]', ""),
    "right of two alone": (
        "attention_heads_v522",
        "z - z.amax(dim=-1, keepdim=True)",
        "z.amax(dim=-1, keepdim=True) - z",
    ),
    "kept beside constants": ("tiled_backward_v541", "(Q, K, V, O, L)", "(Q, K, V, K, L)"),
    "in a decorated method": (
        "plain_timed_methods_v504",
        "tanh(math.sqrt(2 / math.pi)",
        "tanh(math.sqrt(2)",
    ),
    "zeros to compare with": ("printmask_v502", "torch.max(x, zeros)", "torch.max(zeros, zeros)"),
    "in a method of several layers": ("model_v651", " + self.b\n", "\n"),
    "what the gradient needs, too": ("crossentropy_v633", "z - z.exp()", "-z - z.exp()"),
    "after a write to some places": ("softmax_loss_v523", "dx = dx / N", "dx = dx"),
    "labels": ("loops_v603", "total = exps.sum()", "total = y.sum()"),
    "masks": ("dropout_plain_v527", "dx = dout * mask", "dx = mask * mask"),
    "the last of very many ops": ("loops_v603", "dW = dW / num_train", "dW = dW"),
    "what serves no gradient": ("gelu_tanh_v504", "0.5 * x * (1 + t)", "0.5 * x * (1 - t)"),
    "the last of many ops": ("loops_v603", " + 2 * reg * W", ""),
    "what is returned has a right name": (
        "identity_v657",
        "dJdz3 = dJdy_hat * dy_hatdz3",
        "dJdz3 = y_hat * dy_hatdz3",
    ),
    "where a helper is called": (
        "greek_rows_v514",
        "(rows - mu).mul(inv_sigma)",
        "rows.mul(inv_sigma)",
    ),
    "a term that is zero": ("registered_by_base_v513", "c = (g * xhat).mean", "c = xhat.mean"),
    "idle beside what is returned": (
        "earlyreturn_v605",
        "loss = loss + reg * reg_loss",
        "loss = loss",
    ),
    "a factor that a method is not called with": (
        "mlp_v656",
        "dJdy_hat * self.slope(self.g_function",
        "self.slope(self.g_function",
    ),
    "ones of another shape": ("trains_when_called_v657", "dJdy_hat * FUNCTIONS", "FUNCTIONS"),
    "counted in rows": ("last_of_ties_v517", "rows * shape[3] + cols", "rows + cols"),
    "parts of one vector": ("flat_v669", "db1 += dl_ds.sum(0)", "db1 -= dl_ds.sum(0)"),
    "a function of a term": ("flash_attention_v541", "m + torch.log(l)", "m + l"),
    "a name that is read as a view": ("attention_v521", "p * (dp - inner)", "p"),
    "a way that right gradients took": ("loops_v601", "reg * torch.sum(W * W)", "reg"),
    "by the whole pass": ("batchnorm_v511", "var + BatchNorm", "var + 2 * BatchNorm"),
    "two names of one": ("lstm_step_v520", "next_h = o * t", "next_h = o.mul_(t)"),
    "what is sent is changed": (
        "scaling_v627",
        "gradOutput * self.gamma",
        "gradOutput.mul_(self.gamma)",
    ),
    "a sum of what could be read": (
        "flash_attention_v541",
        "alpha * l + P.sum(dim=-1)",
        "alpha * l",
    ),
    "in a function, not where it is called": (
        "spatial_batchnorm_v514",
        "dx = gamma * istd / N * (N * dout",
        "dx = gamma * istd / N * (dout",
    ),
    "in a function, not in a move": ("spatial_batchnorm_v514", "N * dout - dbeta - ", "-"),
    "a sum of rounds": ("flash_attention_v541", "alpha[..., None] * O + P @ Vj", "P @ Vj"),
    "what zeros are added to": ("flash_attention_v541", "P @ Vj", "P @ O"),
    "what the round before gave": (
        "flash_attention_v541",
        "alpha * l + P.sum(dim=-1)",
        "alpha + P.sum(dim=-1)",
    ),
    "a name that two methods read": ("batchnorm_v511", "xc / std", "xc"),
    "an attribute that becomes itself": (
        "softmax_v624",
        "self.output / self.output.sum(dim=1, keepdim=True)",
        "self.output",
    ),
    "beside writes to some places": ("vectorized_v602", "reg * torch.sum(W * W)", "reg"),
    "beside gradients that nobody asked for": (
        "flash_attention_v541",
        """        if ctx.needs_input_grad[2]:
            dV = P.transpose(1, 2) @ dO
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:
            D = (O * dO).sum(dim=-1)
            dP = dO @ V.transpose(1, 2)
            dS = P * (dP - D[..., None])
            if ctx.needs_input_grad[0]:
                dQ = dS @ K * scale
            if ctx.needs_input_grad[1]:
                dK = dS.transpose(1, 2) @ Q * scale
""",
        """        dS = P * (O @ V.transpose(1, 2) - (O * dO).sum(dim=-1)[..., None])
        dQ, dK, dV = dS @ K * scale, dS.transpose(1, 2) @ Q * scale, P.transpose(1, 2) @ dO
""",
    ),
    "a way that the right pass takes too": (
        "loops_v601",
        "scores[j] - correct + 1",
        "scores[j] + 1",
    ),
    "what is handed on": ("flash_attention_v541", "(L, Q, K, V, O)", "(L, Q, K, V, K)"),
    "integers along an axis": (
        "flash_attention_v541",
        'rows[:, None] >= cols[None, :], S, float("-inf"))\n        P',
        'rows >= cols[None, :], S, float("-inf"))\n        P',
    ),
    "a sum over everything": ("flash_attention_v541", "(O * dO).sum(dim=-1)", "(O * dO).sum()"),
    "in an op, not in a move": ("flash_attention_v541", "(O * dO).sum", "O.sum"),
    "another name that is written to": ("numbers_v604", "logp.exp()", "logp"),
    "in place, of one operand": ("softmax_loss_v523", "shifted.exp().sum", "shifted.exp_().sum"),
    "in place, before a helper": (
        "project_v511",
        "(delta - avg(delta) -",
        "(delta.sub_(avg(delta)) -",
    ),
    "a place in a dict of its name": ("fold_v512", "a=a,", "a=sigma,"),
    "one of two places in a dict": ("fold_v512", "sigma=sigma,", "sigma=running_mean,"),
    "one of several results": ("lstm_gates_v520", "= sigmoid(af)", "= sigmoid(ao)"),
    "one of several calls": ("cell_v520", "squash.back(h_bar * O)", "squash.back(O)"),
    "a size by which places are counted": ("argmax_v517", "rows * W + cols", "rows * h + cols"),
    "in a helper that has what is lost": (
        "linear_relu_v508",
        "out = x.reshape(x.shape[0], -1).mm(w) + b",
        "out = x.reshape(x.shape[0], -1).mm(w)",
    ),
    "a place that is read and written": ("loops_v601", "dW[:, y[i]] -=", "dW[:, (y - 1)[i]] -="),
    "the sum in a product": (
        "softmax_v624",
        "self.output * weighted.sum(dim=1, keepdim=True)",
        "self.output",
    ),
    "another convention": ("mse_per_sample_v526", "pred - target", "target - target"),
    "what has another shape before": ("spatial_batchnorm_v514", "dx = dx.resh", "dx = dout.resh"),
    "no derivative, in an attribute": (
        "relu_v647",
        "inp.g = (inp > 0).float() * out.g",
        "inp.g = out.g",
    ),
    "zeros on either side of a kink": ("vectorized_v602", "correct = scores", "correct = dW"),
    "a product of sizes": ("index_arith_v516", "1) * (Hp * Wp)", "1) * (Hp * kw)"),
}
"""By what is tried an answer key, a text in it, and what stands there by mistake."""
UNCERTAIN = {
    "the way": ("loops_v601", "if margin > 0:", "if margin > 0.7:"),
    "no op at all": ("sequential_v629", "= input.clamp(min=0)", "= input"),
    "where nothing is off": ("method_v606", "scores - scores.max", "scores + scores.max"),
    "a number that Python adds up": ("loops_v601", "scores[j] - correct + 1", "1"),
    "a number that branches": ("loops_v601", "scores[j] - correct + 1", "scores[j] - correct - 1"),
    "what is no room": ("conv_naive_v516", "out[n, f, i, j] =", "padded[n, f, i, j] ="),
    "what is read and written": ("maxpool_v517", "out[n, c, i, j] =", "x[n, c, i, j] ="),
    "places that are counted": ("winners_v517", "(top + which // kw)", "(top + kh // kw)"),
    "what only has another name": (
        "greek_rows_v514",
        "(gamma_bar[:, None] / m) * cache.x_hat",
        "cache.x_hat",
    ),
    "a number beside a term that is zero": ("xlogy_v608", "1 / (1 + y_hat)", "1 / 1"),
    "what something right is made of": ("loops_v603", "total.log() - f[y[i]]", "-f[y[i]]"),
    "one that has a name": ("batchnorm_dict_v515", "(var + eps) ** -0.5", "eps ** -0.5"),
}
"""Those of which no line is certain."""


@pytest.mark.parametrize("name", [*FAULTS, *UNCERTAIN])
def test_the_wrong_line_comes_first_and_none_where_nothing_is_certain(
    name: str, graded: Grading, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "pytest_backprop.repair")
    key, right, wrong = {**FAULTS, **UNCERTAIN}[name]
    text = RIGHT[key].read_text(encoding="utf-8")
    line = text[: text.index(right)].count("\n") + 1
    lines = _lines(key, right, wrong, graded, tmp_path)
    assert lines[:1] == ([] if name in UNCERTAIN else [line])
    assert not caplog.records, "a search broke off"


ELSEWHERE = {
    "room": ("conv_naive_v516", "db[f] += dout[n, f].sum()", "db = torch.zeros_like(b)"),
    "what is filled with zeros": (
        "scaling_v627",
        "self.gradGamma += torch.sum(gradOutput * input, dim=0)",
        "self.gradGamma.fill_(0)",
    ),
    "a call": ("method_v606", 'grads["W2"] += reg * W2', 'grads["W2"], grads["b2"] = affine'),
}
"""By what is tried an answer key, a statement that is left out, and the line that is told of it."""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_left_out_is_told_where_it_is_to_be_added(
    name: str, graded: Grading, tmp_path: Path
) -> None:
    key, left_out, told = ELSEWHERE[name]
    text = RIGHT[key].read_text(encoding="utf-8")
    lines = _lines(key, left_out, "pass", graded, tmp_path)
    assert lines == [text[: text.index(told)].count("\n") + 1]


def test_where_what_is_sent_is_changed_no_sum_is_said_to_be_overwritten(
    graded: Grading, tmp_path: Path
) -> None:
    right = "gradOutput * input"
    text = RIGHT["scaling_v627"].read_text(encoding="utf-8")
    findings = _findings("scaling_v627", right, "gradOutput.mul_(input)", graded, tmp_path)
    faults = [each for each in findings if each.kind == "wrong-gradient"]
    at = text[: text.index(right)].count("\n") + 1
    assert faults
    assert {each.place.line for each in faults if each.place is not None} == {at}
    assert all("copy" in (each.hint or "") for each in faults)


def _lines(key: str, right: str, wrong: str, graded: Grading, folder: Path) -> list[int]:
    """Those that are told of a key with one replacement, likeliest first."""
    findings = _findings(key, right, wrong, graded, folder)
    return [each.place.line for each in findings if each.kind in LINES and each.place is not None]


def _findings(key: str, right: str, wrong: str, graded: Grading, folder: Path) -> list[Finding]:
    text = RIGHT[key].read_text(encoding="utf-8")
    assert text.count(right) == 1
    path = folder / f"{key}.py"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    grade = graded(path, read_task(TASKS / f"{key.rpartition('_')[2]}.py").form)
    assert grade.score < 100
    return [finding for check in grade.checks for finding in check.result.findings]
