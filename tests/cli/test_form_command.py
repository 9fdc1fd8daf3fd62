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


def test_what_a_class_is_made_with() -> None:
    assert 'MAKES = ["n_in", "n_out"]' in form(KEYS / "linear_v621.py", "--name", "Linear").stdout
    activation = form(KEYS / "relu_v667.py").stdout
    assert "MAKES" not in activation
    assert "*, w" not in activation


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
