"""The wrong line in the forms in which courses ask: where gradients are sent, where a pass branches on values, where one
size is too large for a search, where a helper is called, where a line runs no op."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from forms_grading import TASKS, Grading, grading
from forms_oracle import read_task

from pytest_backprop.model import LINES, Finding

KEYS = Path(__file__).parent.parent / "submissions_forms" / "keys"


@pytest.fixture(scope="module")
def graded() -> Iterator[Grading]:
    with grading() as grade:
        yield grade


@pytest.mark.parametrize(
    ("key", "right", "wrong"),
    [
        pytest.param("lstm_step_v520", "di * i * (1 - i)", "di * (1 - i)", id="of what is sent"),
        pytest.param(
            "relu_v658", 'z2 @ self.parameters["W2"].T', 'z1 @ self.parameters["W2"].T', id="a kink"
        ),
        pytest.param(
            "functions_v605", "(W2 * W2).sum()", "W2.sum()", id="what only gradients read"
        ),
        pytest.param("loops_v601", "dW /= num_train", "dW /= num_classes", id="a branch"),
        pytest.param("vectorized_v602", "mask[margins > 0]", "mask[margins < 0]", id="a mask"),
        pytest.param("logistic_v609", "sigmoid(z) - y", "sigmoid(z)", id="what a helper returns"),
        pytest.param(
            "logistic_v609", "sigmoid(z) - y", "sigmoid(y) - y", id="what a helper is called with"
        ),
        pytest.param("conv_naive_v516", "dw[f] += window", "dw[f] = window", id="another size"),
        pytest.param("mse_mean_v524", "diff = pred - target", "diff = pred", id="another name"),
        pytest.param("tanh_v507", "dx = (1 - out**2) * dout", "dx = dout", id="no derivative"),
        pytest.param("dropout_mask_v509", "out = x * keep", "out = keep", id="the value itself"),
        pytest.param("elu_v628", "gradOutput * slope", "gradOutput", id="none in a module"),
        pytest.param(
            "deep_v610", ' + params["b" + str(l)]', "", id="in each round of a loop over layers"
        ),
        pytest.param("model_v651", " + self.b\n", "\n", id="in a method of several layers"),
        pytest.param(
            "crossentropy_v633", "z - z.exp()", "-z - z.exp()", id="what the gradient needs, too"
        ),
        pytest.param(
            "softmax_loss_v523", "dx = dx / N", "dx = dx", id="after a write to some places"
        ),
        pytest.param("loops_v603", "total = exps.sum()", "total = y.sum()", id="labels"),
        pytest.param("dropout_plain_v527", "dx = dout * mask", "dx = mask * mask", id="masks"),
        pytest.param(
            "loops_v603", "dW = dW / num_train", "dW = dW", id="the last of very many ops"
        ),
        pytest.param(
            "gelu_tanh_v504", "0.5 * x * (1 + t)", "0.5 * x * (1 - t)", id="what serves no gradient"
        ),
        pytest.param(
            "flash_attention_v541", "m + torch.log(l)", "m + l", id="a function of a term"
        ),
        pytest.param("attention_v521", "p * (dp - inner)", "p", id="a name that is read as a view"),
        pytest.param(
            "loops_v601", "reg * torch.sum(W * W)", "reg", id="a way that right gradients took"
        ),
        pytest.param(
            "batchnorm_v511", "var + BatchNorm", "var + 2 * BatchNorm", id="by the whole pass"
        ),
        pytest.param(
            "lstm_step_v520", "next_h = o * t", "next_h = o.mul_(t)", id="two names of one"
        ),
        pytest.param(
            "scaling_v627",
            "gradOutput * self.gamma",
            "gradOutput.mul_(self.gamma)",
            id="what is sent is changed",
        ),
        pytest.param(
            "flash_attention_v541",
            "alpha * l + P.sum(dim=-1)",
            "alpha * l",
            id="a sum of what could be read",
        ),
        pytest.param(
            "spatial_batchnorm_v514",
            "dx = gamma * istd / N * (N * dout",
            "dx = gamma * istd / N * (dout",
            id="in a function, not where it is called",
        ),
        pytest.param(
            "spatial_batchnorm_v514", "N * dout - dbeta - ", "-", id="in a function, not in a move"
        ),
        pytest.param(
            "flash_attention_v541", "alpha[..., None] * O + P @ Vj", "P @ Vj", id="a sum of rounds"
        ),
        pytest.param("flash_attention_v541", "P @ Vj", "P @ O", id="what zeros are added to"),
        pytest.param(
            "flash_attention_v541",
            "alpha * l + P.sum(dim=-1)",
            "alpha + P.sum(dim=-1)",
            id="what the round before gave",
        ),
        pytest.param("batchnorm_v511", "xc / std", "xc", id="a name that two methods read"),
        pytest.param(
            "softmax_v624",
            "self.output / self.output.sum(dim=1, keepdim=True)",
            "self.output",
            id="an attribute that becomes itself",
        ),
        pytest.param(
            "vectorized_v602", "reg * torch.sum(W * W)", "reg", id="beside writes to some places"
        ),
    ],
)
def test_the_wrong_line_comes_first(
    key: str, right: str, wrong: str, graded: Grading, tmp_path: Path
) -> None:
    text = (KEYS / f"{key}.py").read_text(encoding="utf-8")
    lines = _lines(key, right, wrong, graded, tmp_path)
    assert lines[:1] == [text[: text.index(right)].count("\n") + 1]


@pytest.mark.parametrize(
    ("key", "right", "wrong"),
    [
        pytest.param("loops_v601", "if margin > 0:", "if margin > 0.7:", id="the way"),
        pytest.param("sequential_v629", "= input.clamp(min=0)", "= input", id="no op at all"),
        pytest.param(
            "method_v606", "scores - scores.max", "scores + scores.max", id="where nothing is off"
        ),
        pytest.param(
            "loops_v601", "scores[j] - correct + 1", "1", id="a number that Python adds up"
        ),
        pytest.param(
            "conv_naive_v516", "out[n, f, i, j] =", "padded[n, f, i, j] =", id="what is no room"
        ),
        pytest.param(
            "batchnorm_dict_v515", "(var + eps) ** -0.5", "eps ** -0.5", id="one that has a name"
        ),
        pytest.param(
            "dropout_seeded_kept_v528", "drawn < p", "drawn > p", id="what mends forward alone"
        ),
    ],
)
def test_no_line_is_named_where_nothing_is_certain(
    key: str, right: str, wrong: str, graded: Grading, tmp_path: Path
) -> None:
    assert _lines(key, right, wrong, graded, tmp_path) == []


def test_room_to_which_nothing_is_added_is_named_at_its_line(
    graded: Grading, tmp_path: Path
) -> None:
    added, room = "db[f] += dout[n, f].sum()", "db = torch.zeros_like(b)"
    text = (KEYS / "conv_naive_v516.py").read_text(encoding="utf-8")
    lines = _lines("conv_naive_v516", added, "pass", graded, tmp_path)
    assert lines == [text[: text.index(room)].count("\n") + 1]


def test_where_what_is_sent_is_changed_no_sum_is_said_to_be_overwritten(
    graded: Grading, tmp_path: Path
) -> None:
    right = "gradOutput * input"
    text = (KEYS / "scaling_v627.py").read_text(encoding="utf-8")
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
    text = (KEYS / f"{key}.py").read_text(encoding="utf-8")
    assert text.count(right) == 1
    path = folder / f"{key}.py"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    grade = graded(path, read_task(TASKS / f"{key.rpartition('_')[2]}.py").form)
    assert grade.score < 100
    return [finding for check in grade.checks for finding in check.result.findings]
