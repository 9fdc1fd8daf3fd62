"""`backprop graph`: the models and drawings it writes, and Netron, which is really started."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import onnx
import pytest
import torch
from click.testing import CliRunner, Result
from onnx.reference import ReferenceEvaluator
from onnx_grading import grader_of, onnx_check
from onnx_models import SUBMISSION
from tensorboard.backend.event_processing import event_accumulator
from waiting import PATIENCE

from pytest_backprop.cli import main
from pytest_backprop.exercises.functions.bank import load_bank, parse_variant
from pytest_backprop.exercises.functions.reference import TORCH_FUNCTIONS
from pytest_backprop_authoring.graphs.model import model_of

BANK = load_bank(Path(__file__).parents[2] / "variants")
ALL = parse_variant(
    "def v99():\n"
    "  a = torch.exp(w0) + torch.log(x1) * torch.sqrt(x2) - torch.sin(w2) / torch.cos(x1)\n"
    "  b = torch.tan(w0) + torch.tanh(x2) + torch.sigmoid(w2) + torch.abs(-x1) + torch.relu(+w0)\n"
    "  return torch.max(a, b) ** 2 + torch.min(a, b) ** -1 * 0.5 + 2\n"
)
VARIANTS = (*BANK.values(), ALL)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["graph", *arguments])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_a_variants_model_is_the_variant(variant: object) -> None:
    assert isinstance(variant, type(ALL))
    evaluator = ReferenceEvaluator(model_of(variant))
    generator = torch.Generator().manual_seed(1)
    weights = torch.tensor([0.5 + 0.1 * index for index in range(len(variant.weights))])
    for _ in range(5):
        x = torch.rand(len(variant.inputs), generator=generator) + 0.05
        named = dict(zip((*variant.weights, *variant.inputs), (*weights, *x), strict=True))
        right = variant.evaluate(named, TORCH_FUNCTIONS)
        feeds = {name: value.numpy() for name, value in zip(variant.inputs, x, strict=True)}
        (got,) = evaluator.run(None, feeds)
        assert torch.allclose(torch.tensor(float(got)), right, rtol=1e-4, atol=1e-6)


def test_the_model_reads_as_the_assignment_does() -> None:
    model = model_of(BANK.get("v8"))
    assert [value.name for value in model.graph.input] == ["x1", "x2", "x3"]
    assert [value.name for value in model.graph.output] == ["y"]
    held = {tensor.name: list(tensor.dims) for tensor in model.graph.initializer}
    assert held["w"] == [2]
    assert [node.op_type for node in model.graph.node][:5] == [
        "Gather",
        "Gather",
        "Pow",
        "Pow",
        "Add",
    ]
    assert [node.output[0] for node in model.graph.node][:4] == ["w0", "w1", "t1", "t2"]
    assert model.graph.node[-1].op_type == "Add"


def test_onnx_to_a_file_is_what_the_check_accepts(tmp_path: Path) -> None:
    result = run("v8", "--onnx", str(tmp_path / "v8.onnx"))
    assert (result.exit_code, result.output) == (0, "")
    (tmp_path / "v8.py").write_text(SUBMISSION)
    grader = grader_of(tmp_path)
    try:
        verdict = onnx_check(grader.grade(tmp_path / "v8.py", "v8.py"))
    finally:
        grader.close()
    assert (verdict.outcome, verdict.message) == ("passed", "v8.onnx is the variant")


def test_onnx_to_stdout() -> None:
    result = run("8", "--onnx", "-")
    assert result.exit_code == 0
    assert onnx.load_model_from_string(result.stdout_bytes) == model_of(BANK.get("v8"))


@pytest.mark.parametrize(
    ("package", "option"),
    [("onnx", "--onnx"), ("netron", "--netron"), ("tensorboard", "--tensorboard")],
)
def test_without_a_package_there_is_a_way_out(
    package: str, option: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in list(sys.modules):
        if name.startswith(
            ("pytest_backprop_authoring.graphs", "torch.utils.tensorboard", f"{package}.")
        ):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    given = {"netron": (), "tensorboard": (str(tmp_path / "runs"),)}.get(package, ("-",))
    result = run("v8", option, *given)
    assert result.exit_code == 2
    assert f"this needs the package {package}" in result.output
    assert f"`pip install {package}`" in result.output
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("v8",), "give --onnx FILE, --tensorboard DIR or --netron"),
        (("v77", "--onnx", "-"), "there is no variant 'v77'"),
        (("v8", "--onnx", "-", "--variants", "/nowhere"), "does not exist"),
    ],
)
def test_errors_say_what_to_do(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def read_by_tensorboard(folder: Path) -> dict[str, Any]:
    """The nodes of the one graph of a folder, by TensorBoard's own reader."""
    accumulator = event_accumulator.EventAccumulator(str(folder))
    accumulator.Reload()
    assert accumulator.Tags()["graph"] is True
    return {node.name: node for node in accumulator.Graph().node}


def sizes_of(node: Any) -> list[int]:
    (shape,) = node.attr["_output_shapes"].list.shape
    return [dim.size for dim in shape.dim]


def test_tensorboard_reads_the_graph_of_a_variant(tmp_path: Path) -> None:
    result = run("v8", "--tensorboard", str(tmp_path / "runs"))
    assert result.exit_code == 0, result.output
    assert "tensorboard --logdir" in result.output
    nodes = read_by_tensorboard(tmp_path / "runs")
    assert {name for name in nodes if name.startswith("input/")} == {
        "input/x1",
        "input/x2",
        "input/x3",
    }
    assert {"TaskModule/w0/w0", "TaskModule/w1/w1"} <= set(nodes)
    kinds = Counter(node.op for node in nodes.values())
    assert (kinds["aten::pow"], kinds["aten::div"]) == (3, 3)


LAYER = """def v1(x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w: Float[Tensor, "d 3"]):
    hidden = torch.tanh(x @ w)
    return F.cross_entropy(hidden, y)
"""


@pytest.mark.parametrize(
    "text",
    [LAYER, 'EXERCISE = "intermediate-gradients"\nGRADIENTS = ("hidden",)\n' + LAYER],
    ids=["forward-backward", "intermediate-gradients"],
)
def test_tensorboard_reads_the_graph_of_a_task_of_matrices(text: str, tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text('BELOW = {"y": 3}\n' + text)
    result = run("v1", "--tensorboard", str(tmp_path), "--variants", str(tmp_path))
    assert result.exit_code == 0, result.output
    nodes = read_by_tensorboard(tmp_path)
    assert {"input/x", "input/y", "TaskModule/w/w"} <= set(nodes)
    n, d = sizes_of(nodes["input/x"])
    (product,) = (node for node in nodes.values() if node.op == "aten::matmul")
    assert (list(product.input), sizes_of(product)) == (["input/x", "TaskModule/w/w"], [n, 3])
    assert d >= 1
    assert "aten::cross_entropy_loss" in {node.op for node in nodes.values()}


def test_tensorboard_refuses_a_folder_that_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "runs"
    file.write_text("")
    result = run("v8", "--tensorboard", str(file / "v8"))
    assert result.exit_code == 2
    assert "give --tensorboard a folder" in result.output


def test_what_is_of_scalars_refuses_matrices(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text('BELOW = {"y": 3}\n' + LAYER)
    result = run("v1", "--onnx", "-", "--variants", str(tmp_path))
    assert result.exit_code == 2
    assert "v1 is a task of matrices" in result.output


def test_variants_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text("def v1():\n  return w0 * x1\n")
    result = run("v1", "--onnx", "-", "--variants", str(tmp_path))
    model = onnx.load_model_from_string(result.stdout_bytes)
    assert [node.op_type for node in model.graph.node] == ["Gather", "Mul"]


def test_netron_shows_the_model_to_this_machine_until_it_is_interrupted() -> None:
    command = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); " \
              "from pytest_backprop.cli import main; main()"  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", command, "graph", "v8", "--netron", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"v8 is shown at (http://localhost:\d+) until Ctrl-C\n", line)
        assert found, line
        page = urllib.request.urlopen(found[1], timeout=PATIENCE).read().decode()
        assert "Netron" in page
        named = re.search(r"data/[^\"' ]*v8\.onnx", page)
        assert named, page[:2000]
        data = urllib.request.urlopen(f"{found[1]}/{named[0]}", timeout=PATIENCE).read()
        assert onnx.load_model_from_string(data) == model_of(BANK.get("v8"))
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=PATIENCE) in (0, 1)
    finally:
        process.kill()
        process.communicate()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(found[1], timeout=PATIENCE)
