"""The check `onnx`: real models, handed in or exported, through the real grader."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import onnx_models as made
import pytest
from onnx.helper import make_node, make_tensor
from onnx_grading import RUBRIC, grader_of, onnx_check
from onnx_models import INPUTS, STACKED, SUBMISSION, SUM, WRONG, F, TensorProto, dynamo, script
from plugin_samples import lay_out, run_pytest
from sampling import few

from pytest_backprop.errors import UsageProblem
from pytest_backprop.grading.pipeline import Grader
from pytest_backprop.model import CheckResult

VARIANTS = Path(__file__).parents[2] / "variants"
MIB = 2**20


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grader]:
    one = grader_of(tmp_path_factory.mktemp("grader"))
    yield one
    one.close()


@pytest.fixture
def judged(grader: Grader, tmp_path: Path) -> Callable[..., CheckResult]:
    """The verdict on a submission with a model, in a folder of its own."""

    def judge(data: bytes | None, name: str = "v8.onnx", text: str = SUBMISSION) -> CheckResult:
        (tmp_path / "v8.py").write_text(text)
        if data is not None:
            (tmp_path / name).write_bytes(data)
        result = onnx_check(grader.grade(tmp_path / "v8.py", "v8.py"))
        assert "\x1b" not in result.message
        assert "\n" not in result.message
        return result

    return judge


# -- right ----------------------------------------------------------------------------------


def weights_as_inputs() -> bytes:
    def give(model: Any) -> None:
        held = model.graph.initializer[0]
        value = made.helper.make_tensor_value_info("w", F, [2])
        assert held.name == "w"
        del model.graph.initializer[:]
        model.graph.input.append(value)

    return made.changed(script(), give)


DOUBLE = SUBMISSION.replace("0.288])", "0.288], dtype=torch.float64)")

APART = SUBMISSION.replace(
    "self.w = nn.Parameter(torch.tensor([0.95, 0.288]))",
    "self.w0, self.w1 = (nn.Parameter(torch.tensor(w)) for w in (0.95, 0.288))",
).replace("w0, w1 = self.w\n", "w0, w1 = self.w0, self.w1\n")

RIGHT: dict[str, tuple[Callable[[], bytes], str]] = {
    "partly folded": (lambda: dynamo(APART), "is the variant"),
    "not optimized": (lambda: dynamo(optimize=False), "is the variant"),
    "the older exporter": (script, "is the variant"),
    "the older exporter, one input": (lambda: script(STACKED, stacked=True), "is the variant"),
    "without names": (lambda: script(input_names=None), "is the variant"),
    "hostile names": (
        lambda: made.renamed(script(), {"x1": "\x1b[31m\n", "x2": "/etc/passwd", "x3": "я" * 9999}),
        "is the variant",
    ),
    "names in another order": (
        lambda: made.changed(script(), lambda m: m.graph.input.reverse()),
        "is the variant",
    ),
    "float64": (
        lambda: dynamo(DOUBLE, optimize=False, args=tuple(made.torch.rand(3).double())),
        "is the variant",
    ),
    "weights as inputs": (weights_as_inputs, "is the variant"),
    "an input of one element": (
        lambda: script(args=tuple(made.torch.rand(3, 1))), "is the variant",
    ),
    "a batch of any size": (
        lambda: script(args=tuple(made.torch.rand(3, 1)),
                       dynamic_axes={name: {0: "batch"} for name in INPUTS}),
        "is the variant",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", few(RIGHT, ["partly folded", "the older exporter"]))
def test_right_models(name: str, judged: Callable[..., CheckResult]) -> None:
    make, message = RIGHT[name]
    result = judged(make())
    assert (result.outcome, result.fraction, result.basis) == ("passed", 1.0, "replayed")
    assert message in result.message
    assert result.message.startswith("v8.onnx ")
    assert "Pow" in result.details["ops"]


@pytest.mark.parametrize("text", [SUBMISSION, WRONG])
def test_a_model_without_weights_is_not_judged_and_says_how_to_export(
    text: str, judged: Callable[..., CheckResult]
) -> None:
    """As torch's default export folds all weights of v8 into constants."""
    result = judged(dynamo(text))
    assert (result.outcome, result.message) == (
        "not_judged",
        "not judged: v8.onnx has its weights neither as initializers nor as inputs: they are folded "
        "into constants",
    )
    (finding,) = result.findings
    assert (finding.kind, finding.level) == ("folded-weights", "note")
    assert "optimize=False" in str(finding.hint)


# -- wrong ----------------------------------------------------------------------------------


class Wrong(NamedTuple):
    """A model that does not pass: how it is made, the finding's kind, part of its message."""

    make: Callable[[], bytes]
    kind: str
    message: str


def identity_of(name: str, **how: Any) -> bytes:
    return made.graph([*SUM, make_node("Identity", [name], ["y"])], **how)


def half() -> bytes:
    nodes = [*SUM, make_node("Identity", ["s"], ["y"])]
    return made.graph(nodes, kind=TensorProto.FLOAT16)


def not_a_number() -> bytes:
    nodes = [
        *SUM,
        make_node("Sub", ["s", "s"], ["0"]),
        make_node("Div", ["0", "0"], ["nan"]),
        make_node("Mul", ["nan", "w0"], ["a w0"]),
        make_node("Mul", ["a w0", "w1"], ["y"]),
    ]
    return made.graph(nodes, [made.scalar("w0", 0.5), made.scalar("w1", 0.5)])


def custom() -> bytes:
    node = make_node("Backprop", ["s"], ["y"], domain="evil.example")
    return made.graph([*SUM, node], domains=("", "evil.example"))


BAKED = 'torch.onnx.export(model, tuple(torch.rand(3)), "v8.onnx", input_names=["x1", "x2", "x3"]'
WRONGS: dict[str, Wrong] = {
    "another function": Wrong(
        lambda: dynamo(WRONG, optimize=False), "wrong-value", "points differ"),
    "another function, weights in it": Wrong(lambda: script(WRONG), "wrong-value", "points differ"),
    "floats at export": Wrong(
        lambda: dynamo(args=(0.25, 0.5, 0.75), input_names=None), "baked-in-input", "x1, x2, x3"),
    "one float at export": Wrong(
        lambda: dynamo(args=(made.torch.rand(()), 0.5, made.torch.rand(())), input_names=None),
        "baked-in-input", "x2"),
    "an input as initializer": Wrong(
        lambda: made.baked(script(), "x2"), "baked-in-input", "no input for x2"),
    "an input nobody uses": Wrong(
        lambda: dynamo(SUBMISSION.replace("x1 - x2 - r1", "x2 - r1"), optimize=False),
        "wrong-value", "points differ"),
    "too many inputs": Wrong(
        lambda: identity_of("s", inputs=(*INPUTS, "x4")), "wrong-inputs", "x4"),
    "no output": Wrong(
        lambda: made.changed(script(), lambda m: m.graph.ClearField("output")),
        "wrong-output", "no output"),
    "an output of two": Wrong(
        lambda: made.graph([*SUM, make_node("Add", ["s", "two"], ["y"])],
                           [make_tensor("two", F, [2], [1.0, 2.0])], shape=[2]),
        "wrong-output", "shape [2]"),
    "float16": Wrong(half, "wrong-inputs", "FLOAT16"),
    "NaN everywhere": Wrong(not_a_number, "wrong-value", "points differ"),
    "empty": Wrong(lambda: b"", "invalid-model", "not a valid ONNX model"),
    "text": Wrong(lambda: b"# my model\n" * 20, "invalid-model", "not a valid ONNX model"),
    "zeros": Wrong(lambda: bytes(5000), "invalid-model", "not a valid ONNX model"),
    "cut short": Wrong(lambda: script()[:-200], "invalid-model", "not a valid ONNX model"),
    "bits turned": Wrong(
        lambda: bytes(b ^ 0x55 for b in script()), "invalid-model", "not a valid ONNX model"),
    "50 MB": Wrong(lambda: bytes(50 * MIB), "large-model", "far larger"),
    "a file of the machine": Wrong(
        lambda: made.external("/etc/passwd"), "external-data", "/etc/passwd"),
    "a file further up": Wrong(
        lambda: made.external("../../../../etc/passwd"), "external-data", "passwd"),
    "a file beside it": Wrong(
        lambda: made.external("v8.onnx.data"), "external-data", "v8.onnx.data"),
    "no such operator": Wrong(custom, "cannot-run", "evil.example"),
    "two terabytes": Wrong(lambda: made.bomb(2**39), "cannot-run", "MemoryError"),
    "a gigabyte": Wrong(lambda: made.bomb(2**28), "unfinished", "300 MB"),
    "deeply nested": Wrong(lambda: made.nested(5000), "invalid-model", "not a valid ONNX model"),
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.long] if i % 5 else []) for i, n in enumerate(WRONGS)],
)
def test_wrong_and_hostile_models(name: str, judged: Callable[..., CheckResult]) -> None:
    make, kind, message = WRONGS[name]
    result = judged(make())
    assert (result.outcome, result.fraction) == ("failed", 0.0), result.message
    (finding,) = [f for f in result.findings if f.level == "fault"]
    assert finding.kind == kind, finding
    assert message in finding.message
    assert finding.message == result.message
    assert finding.hint
    if kind == "baked-in-input":
        assert BAKED in finding.hint


@pytest.mark.long
def test_the_grader_goes_on_after_a_model_that_never_ends(
    judged: Callable[..., CheckResult],
) -> None:
    endless = judged(made.endless())
    assert (endless.outcome, endless.message) == (
        "not_judged",
        "not judged: evaluating the model took more than 4 s; give more by --backprop-timeout",
    )
    assert judged(script()).outcome == "passed"


def test_the_line_in_the_hints_works(
    judged: Callable[..., CheckResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hint = judged(made.baked(script(), "x2")).findings[0].hint
    assert hint is not None
    monkeypatch.chdir(tmp_path)
    exec(hint.partition(": ")[2].strip("`"), {"torch": made.torch, "model": made.module()})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v8.onnx", "v8.py"]
    assert judged(None).outcome == "passed"


# -- which file -----------------------------------------------------------------------------


@pytest.mark.long
def test_which_model_belongs_to_a_submission(grader: Grader, tmp_path: Path) -> None:
    def judge() -> CheckResult:
        return onnx_check(grader.grade(tmp_path / "anna.py", "anna.py"))

    (tmp_path / "anna.py").write_text(SUBMISSION)
    assert judge().message.startswith("the export of forward is the variant")
    (tmp_path / "model.onnx").write_bytes(script(WRONG))
    assert judge().message.startswith("model.onnx does not")  # the only one
    (tmp_path / "other.onnx").write_bytes(script(WRONG))
    result = judge()
    assert result.outcome == "passed"
    assert "there are 2 .onnx files and none is called anna.onnx" in result.findings[0].message
    (tmp_path / "anna.onnx").write_bytes(script())
    assert judge().message == "anna.onnx is the variant"
    for name in ("anna.onnx", "other.onnx"):
        (tmp_path / name).unlink()
    (tmp_path / "boris.ipynb").write_text("{}")  # whose model.onnx is
    assert judge().message == "the export of forward is the variant"


def test_a_link_or_a_pipe_is_no_model(judged: Callable[..., CheckResult], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(script())
    (tmp_path / "v8.onnx").symlink_to(tmp_path / "elsewhere")
    assert judged(None).message == "v8.onnx cannot be read: it is a link"
    (tmp_path / "v8.onnx").unlink()
    os.mkfifo(tmp_path / "v8.onnx")
    assert judged(None).message == "v8.onnx cannot be read: it is not an ordinary file"
    (tmp_path / "v8.onnx").unlink()
    (tmp_path / "v8.onnx").mkdir()
    assert judged(None).findings[0].kind == "unreadable-model"


# -- exports --------------------------------------------------------------------------------

BRANCH = SUBMISSION.replace(
    "        r1 =", "        if x1 > x2:\n            return x3\n        r1 ="
)
UNEXPORTABLE = {
    "a branch": (BRANCH, "data-dependent", 12, "torch.where"),
    "numpy": (
        SUBMISSION.replace("return r1 +", "return torch.from_numpy(r1.numpy()) +"),
        "numpy() is not supported", 15, "operations on tensors",
    ),
    "an error": (
        SUBMISSION.replace("        r1 =", "        x9\n        r1 =").replace("x9", "1 / 0"),
        "division by zero", 12, "operations on tensors",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", few(UNEXPORTABLE))
def test_a_forward_that_cannot_be_exported(name: str, judged: Callable[..., CheckResult]) -> None:
    text, reason, line, way_out = UNEXPORTABLE[name]
    result = judged(None, text=text)
    (finding,) = result.findings
    assert (result.outcome, finding.kind) == ("failed", "cannot-export")
    assert result.message.startswith("forward cannot be exported: ")
    assert reason in result.message
    assert finding.place is not None
    assert finding.place.line == line
    assert way_out in str(finding.hint)


@pytest.mark.long
def test_exports_right_wrong_and_stacked(judged: Callable[..., CheckResult]) -> None:
    assert judged(None).message == "the export of forward is the variant"
    assert judged(None, text=STACKED).message == "the export of forward is the variant"
    wrong = judged(None, text=WRONG)
    assert wrong.outcome == "failed"
    assert "the export of forward does not give the variant's value" in wrong.message
    assert wrong.details["file"] is None


@pytest.mark.long
def test_an_export_that_never_ends_costs_this_check_only(grader: Grader, tmp_path: Path) -> None:
    text = SUBMISSION.replace(
        "        r1 =",
        "        while torch.compiler.is_exporting():\n            pass\n        r1 =",
    )
    (tmp_path / "v8.py").write_text(text)
    grade = grader.grade(tmp_path / "v8.py", "v8.py")
    result = onnx_check(grade)
    assert (result.outcome, result.message) == (
        "not_judged",
        "not judged: exporting forward took more than 4 s; give more by --backprop-timeout",
    )
    assert grade.checks[0].result.outcome == "passed"  # forward


# -- through pytest -------------------------------------------------------------------------


@pytest.mark.long
def test_a_class_through_pytest_and_again(tmp_path: Path) -> None:
    lay_out(tmp_path, {"rubric.toml": RUBRIC, "variants/v8.py": (VARIANTS / "v8.py").read_text()})
    lay_out(
        tmp_path / "class",
        {
            "anna_v8.py": SUBMISSION,
            "boris_v8.py": SUBMISSION,
            "boris_v8.onnx": script(WRONG),
            "vera_v8.py": SUBMISSION,
        },
    )
    for extra in ((), ("--backprop-executor=local:2",)):
        run = run_pytest(
            tmp_path, "--backprop", "class", "--backprop-rubric=rubric.toml",
            "--backprop-points=256", "--backprop-report=json:report.json", "-rA", *extra,
        )  # fmt: skip
        assert run.code == 1, run.err
        told = {name: run.check(f"{name}_v8.py", "onnx") for name in ("anna", "boris", "vera")}
        assert [check["outcome"] for check in told.values()] == ["passed", "failed", "passed"]
        assert told["boris"]["message"].startswith("boris_v8.onnx does not give")
        assert told["anna"]["max_score"] == 10
        assert "PASSED class/anna_v8.py::onnx" in run.out


@pytest.mark.long
def test_another_model_is_graded_again_though_the_submission_is_the_same(tmp_path: Path) -> None:
    lay_out(tmp_path, {"rubric.toml": RUBRIC, "variants/v8.py": (VARIANTS / "v8.py").read_text()})
    for model, outcome in ((WRONG, "failed"), (WRONG, "failed"), (SUBMISSION, "passed")):
        lay_out(tmp_path / "class", {"anna_v8.py": SUBMISSION, "anna_v8.onnx": script(model)})
        run = run_pytest(
            tmp_path, "--backprop", "class", "--backprop-rubric=rubric.toml", "--backprop-resume",
            "--backprop-points=256", "--backprop-report=json:report.json",
        )  # fmt: skip
        assert run.check("anna_v8.py", "onnx")["outcome"] == outcome
    assert "regraded because the file changed:\n    class/anna_v8.py" in run.out


def test_without_its_packages_the_rubric_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxscript", None)
    with pytest.raises(UsageProblem, match="onnxscript is not installed") as caught:
        grader_of(tmp_path)
    assert "pip install onnx" in caught.value.way_out
