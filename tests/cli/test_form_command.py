"""`backprop form`: what is recognised, and that the skeleton is a task's file once its expression is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_backprop.exercises import BUILT_IN

KEYS = Path(__file__).parent.parent / "submissions_forms" / "keys"
RECOGNISED = {
    "linear_v501.py": "layer", "linear_v621.py": "modules", "lin_v646.py": "dot-g", "mlp_v656.py": "mlp",
    "linear_v666.py": "param-pairs", "loops_v601.py": "value-and-gradient",
    "flash_attention_v541.py": "autograd-function",
}  # fmt: skip


def form(*arguments: object) -> subprocess.CompletedProcess[str]:
    code = "from pytest_backprop.cli import main; main(prog_name='backprop')"
    command = [sys.executable, "-c", code, "form", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", RECOGNISED)
def test_a_key_of_the_bank_is_recognised(name: str) -> None:
    result = form(KEYS / name)
    assert result.returncode == 0, result.stderr
    assert f'EXERCISE = "{RECOGNISED[name]}"' in result.stdout


def test_the_skeleton_becomes_a_task(tmp_path: Path) -> None:
    result = form(KEYS / "lin_v646.py", "--task", "v3")
    text = result.stdout.replace("return ...", "return x * w + b")
    (tmp_path / "v3.py").write_text(text, encoding="utf-8")
    assert BUILT_IN["dot-g"].load_bank(tmp_path).names == ("v3",)


NET = """
import torch

def nn_forward_pass(params, X):
    W1, b1 = params["W1"], params["b1"]
    W2, b2 = params["W2"], params["b2"]
    hidden = (X @ W1 + b1).clamp(min=0)
    return hidden @ W2 + b2, hidden

def nn_forward_backward(params, X, y=None, reg=0.0):
    scores, hidden = nn_forward_pass(params, X)
    if y is None:
        return scores
    rows = torch.arange(len(X))
    p = torch.softmax(scores, 1)
    loss = -p[rows, y].log().mean() + reg * sum((params[W] ** 2).sum() for W in ("W1", "W2"))
    p[rows, y] -= 1
    p /= len(X)
    grads = {"W2": hidden.T @ p + 2 * reg * params["W2"], "b2": p.sum(0)}
    dh = p @ params["W2"].T * (hidden > 0)
    grads["W1"], grads["b1"] = X.T @ dh + 2 * reg * params["W1"], dh.sum(0)
    return loss, grads
"""


def test_a_dict_of_parameters_is_held_and_the_skeleton_grades_the_file(tmp_path: Path) -> None:
    (tmp_path / "net_v1.py").write_text(NET, encoding="utf-8")
    text = form(tmp_path / "net_v1.py").stdout
    assert 'HOLDS = {"W1": \'params["W1"]\', "b1": \'params["b1"]\', "W2": ' in text
    text = text.replace('W1: Float[Tensor, "d m"]', 'W1: Float[Tensor, "d h"]')
    text = text.replace('b1: Float[Tensor, "m"]', 'b1: Float[Tensor, "h"]')
    text = text.replace('W2: Float[Tensor, "d m"]', 'W2: Float[Tensor, "h c"]')
    text = text.replace('b2: Float[Tensor, "m"]', 'b2: Float[Tensor, "c"]')
    net = "F.cross_entropy((X @ W1 + b1).clamp(min=0) @ W2 + b2, y)"
    text = text.replace("return ...", f"return {net} + reg * ((W1**2).sum() + (W2**2).sum())")
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank" / "v1.py").write_text(text, encoding="utf-8")
    code = "from pytest_backprop.cli import main; main(prog_name='backprop')"
    command = [sys.executable, "-c", code, "grade", "net_v1.py", "--backprop-variants", "bank"]
    graded = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "100/100" in graded.stdout, graded.stdout


def test_a_dict_of_settings_has_values_to_try(tmp_path: Path) -> None:
    lines = "def conv_forward(x, w, settings):\n    return x * w * settings['pad'], (x, w, settings['stride'])\n"
    lines += "def conv_backward(dout, cache):\n    return dout, dout\n"
    (tmp_path / "conv.py").write_text(lines, encoding="utf-8")
    text = form(tmp_path / "conv.py").stdout
    assert 'VALUES = {"settings": ({"pad": 1, "stride": 1},)}' in text
    assert "settings: dict" in text
    (tmp_path / "v1.py").write_text(text.replace("return ...", "return x * w"), encoding="utf-8")
    assert BUILT_IN["layer"].load_bank(tmp_path).names == ("v1",)


def test_what_a_class_is_made_with() -> None:
    assert 'MAKES = ["n_in", "n_out"]' in form(KEYS / "linear_v621.py", "--name", "Linear").stdout
    activation = form(KEYS / "relu_v667.py").stdout
    assert "MAKES" not in activation
    assert "*, w" not in activation


def test_a_base_class_is_not_what_is_asked_for(tmp_path: Path) -> None:
    base = "class Module:\n    def forward(self, input):\n        return self.updateOutput(input)\n"
    base += "".join(
        f"    def {name}:\n        return self.output\n"
        for name in ("updateOutput(self, input)", "updateGradInput(self, input, gradOutput)")
    )
    own = base.replace("Module", "Scale(Module)").replace("self.output", "2 * self.output")
    (tmp_path / "layers.py").write_text(base + own, encoding="utf-8")
    assert 'CALLS = "Scale"' in form(tmp_path / "layers.py").stdout


HOMEWORK = """
class Net(nn.Module):
    def forward(self, {names}):
        return self.w[0] * {names}
    def my_forward_backward(self, {names}):
        return self.w[0] * {names}
"""


@pytest.mark.parametrize(("names", "value"), [("x1", "w0 * x1"), ("x", "(x @ w).sum()")])
def test_the_homework_has_a_task_of_scalars_or_of_tensors(
    names: str, value: str, tmp_path: Path
) -> None:
    (tmp_path / "net.py").write_text(HOMEWORK.format(names=names), encoding="utf-8")
    text = form(tmp_path / "net.py").stdout
    (tmp_path / "v1.py").write_text(text.replace("return ...", f"return {value}"), encoding="utf-8")
    assert BUILT_IN["forward-backward"].load_bank(tmp_path).get("v1").of_scalars == (names == "x1")


def test_a_script(tmp_path: Path) -> None:
    lines = [f"{name} = 1.0\nd{name} = 2.0\n" for name in ("h", "logits", "probs")]
    (tmp_path / "cells.py").write_text("".join(lines), encoding="utf-8")
    assert 'EXERCISE = "script"' in form(tmp_path / "cells.py").stdout


def test_what_has_no_form_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text("x = 1\n", encoding="utf-8")
    result = form(tmp_path / "notes.py")
    assert result.returncode == 2
    assert "notes.py: no class and no function of a known form" in result.stderr
    result = form(KEYS / "linear_v501.py", "--name", "Convolution")
    assert "`Convolution` has no known form" in result.stderr
