"""What students write in each form, and no course forbids, has full marks: submissions of a few lines,
graded whole."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from forms_grading import graded

from pytest_backprop.exercises import AUTOGRAD_FUNCTION, FORWARD_BACKWARD
from pytest_backprop.exercises.base import Exercise
from pytest_backprop.exercises.by_hand.forms.dot_g import DOT_G
from pytest_backprop.exercises.by_hand.forms.layer import LAYER
from pytest_backprop.exercises.by_hand.forms.modules import MODULES
from pytest_backprop.exercises.by_hand.forms.param_pairs import PARAM_PAIRS
from pytest_backprop.exercises.by_hand.forms.script import SCRIPT
from pytest_backprop.exercises.by_hand.forms.value_and_gradient import VALUE_AND_GRADIENT

LINEAR = """
    EXERCISE = "modules"
    CALLS = "Linear"
    MAKES = ("d", "m")

    def v1(input: Float[Tensor, "n d"], *, W: Float[Tensor, "d m"]):
        return input @ W
"""
FORWARD_AND_BACKWARD = """
    import torch

    class Linear:
        def __init__(self, d, m):
            self.W, self.gradW = torch.zeros(d, m), None

        def forward(self, input):
            return input @ self.W

        def backward(self, input, gradOutput):
            self.gradW = input.t() @ gradOutput
            return gradOutput @ self.W.t()
"""
BACKWARD_OVERRIDDEN = """
    import torch

    class Module:
        def backward(self, input, gradOutput):
            self.updateGradInput(input, gradOutput)
            self.accGradParameters(input, gradOutput)
            return self.gradInput

        def updateGradInput(self, input, gradOutput):
            pass

        def accGradParameters(self, input, gradOutput):
            pass

    class Linear(Module):
        def __init__(self, d, m):
            self.W, self.gradW = torch.zeros(d, m), torch.zeros(d, m)

        def forward(self, input):
            return self.updateOutput(input)

        def updateOutput(self, input):
            return input @ self.W

        def backward(self, input, gradOutput):
            self.gradW += input.t() @ gradOutput
            return gradOutput @ self.W.t()
"""
PAIRS = """
    EXERCISE = "param-pairs"
    CALLS = "Linear"
    MAKES = ("d", "m")

    def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d m"]):
        return x @ w
"""
NEVER_ZEROED = """
    import torch

    class Linear:
        def __init__(self, d, m):
            self.w = torch.empty(d, m)
            self.dw = torch.empty(d, m).fill_(7.0)  # as what memory held before may be

        def forward(self, *input):
            self.x = input[0]
            return self.x @ self.w

        def backward(self, *gradwrtoutput):
            self.dw.add_(self.x.t() @ gradwrtoutput[0])
            return gradwrtoutput[0] @ self.w.t()

        def param(self):
            return [(self.w, self.dw)]
"""
DEEP = """
    EXERCISE = "value-and-gradient"
    CALLS = "Net.loss"
    MAKES = {"dims": ["d", "m"], "kind": "sum"}
    HOLDS = {"W": 'self.params["W"]'}

    def v1(X: Float[Tensor, "n d"], *, W: Float[Tensor, "d m"]):
        return (X @ W).sum()
"""
MADE_WITH_A_LIST = """
    import torch

    class Net:
        def __init__(self, dims, kind):
            assert kind == "sum" and type(dims) is list
            self.params = {"W": torch.randn(*dims)}

        def loss(self, X):
            grads = {"W": X.sum(0)[:, None].expand_as(self.params["W"]).clone()}
            return (X @ self.params["W"]).sum(), grads
"""
SCALED = """
    EXERCISE = "param-pairs"
    CALLS = "Scale"
    MAKES = (("a", "b"),)
    VALUES = {"a": (2, 3), "b": (0.5,)}

    def v1(x: Float[Tensor, "n d"], a: int, b: float):
        return x * a * b
"""
MADE_WITH_A_TUPLE_OF_VALUES = """
    import torch

    class Scale:
        def __init__(self, factors):
            assert factors + () == factors  # a tuple, as the task has it
            self.factor = factors[0] * factors[1]

        def forward(self, x):
            return x * self.factor

        def backward(self, gradwrtoutput):
            return gradwrtoutput * self.factor

        def param(self):
            return []
"""
ADDED_UP = """
    EXERCISE = "dot-g"
    CALLS = ("softmax", "softmax_backward(y, x)")
    DELIVERS = {"x": "x.grad"}

    def v1(x: Float[Tensor, "n d"]):
        return x.softmax(1)
"""
INTO_GRAD = """
    import torch

    def softmax(x, ctx=None):
        e = torch.exp(x - x.max(1, keepdim=True).values)
        y = e / e.sum(1, keepdim=True)
        if ctx is not None:
            ctx.append([softmax_backward, [y, x]])
        return y

    def softmax_backward(y, x):
        x.grad += y * (y.grad - (y.grad * y).sum(1, keepdim=True))
"""
IN_THE_OBJECT_ALONE = """
    EXERCISE = "dot-g"
    CALLS = "Scale"
    MAKES = ("w",)
    GRADIENTS = ("w",)
    DELIVERS = {"w": "self.w_grad"}

    def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d"]):
        return x * w
"""
READS_G = """
    class Scale:
        def __init__(self, w):
            self.w = w

        def __call__(self, x):
            self.x, self.out = x, x * self.w
            return self.out

        def backward(self):
            self.w_grad = (self.x * self.out.g).sum(0)
"""
SENT_AN_ADJOINT = IN_THE_OBJECT_ALONE.replace(
    '"Scale"', '("Scale.__call__", "Scale.backward(dout)")'
)
GETS_IT = READS_G.replace("backward(self)", "backward(self, dout)").replace("self.out.g", "dout")
SQUARE = """
    EXERCISE = "autograd-function"
    CALLS = "Square"

    def v1(x: Float[Tensor, "n"]):
        return x * x
"""
SEVERAL_FUNCTIONS = """
    import torch

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return 2 * x * grad_output

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * ctx.factor, None
"""
TWO_METHODS = """
    EXERCISE = "modules"
    CALLS = ("Double.forward", "Double.update_input_grad")

    def v1(input: Float[Tensor, "n d"]):
        return 2 * input
"""
OTHER_NAMES = """
    class Double:
        def forward(self, input):
            return 2 * input

        def update_input_grad(self, input, grad_output):
            return 2 * grad_output
"""
SQUARES = """
    EXERCISE = "value-and-gradient"
    CALLS = "squares(w, y)"
    GRADIENTS = ("w",)
    {}

    def v1(w: Float[Tensor, "n"], y: Float[Tensor, "n"]):
        return ((w - y) ** 2).mean()
"""
A_NUMBER = """
    def squares(w, y):
        d = w - y
        return (d * d).mean().item(), 2 * d / len(d)
"""
A_SUM_OF_NUMBERS = """
    import math

    def squares(w, y):
        loss, dw = 0.0, w.clone()
        for i in range(len(w)):
            loss += math.pow(w[i] - y[i], 2)
            dw[i] = 2 * (w[i] - y[i]) / len(w)
        return loss / len(w), dw
"""
A_WRONG_SUM_OF_NUMBERS = A_SUM_OF_NUMBERS.replace("loss / len(w)", "loss")
RELU = """
    EXERCISE = "dot-g"
    CALLS = "Relu"

    def v1(inp: Float[Tensor, "n d"]):
        return inp.clamp(min=0)
"""
TRAINED_IN_BACKWARD = """
    EXERCISE = "modules"
    CALLS = ("Linear.forward", "Linear.backward(input, gradOutput, 0.1)")
    MAKES = ("d", "m")

    def v1(input: Float[Tensor, "n d"], *, W: Float[Tensor, "d m"]):
        return input @ W
"""
A_RATE = """
    import torch

    class Linear:
        def __init__(self, d, m):
            self.W, self.gradW = torch.zeros(d, m), None

        def forward(self, input):
            return input @ self.W

        def backward(self, input, gradOutput, learning_rate):
            self.gradW = input.t() @ gradOutput
            gradInput = gradOutput @ self.W.t()
            self.W -= learning_rate * self.gradW
            return gradInput
"""
STEP = """
    EXERCISE = "layer"
    CALLS = ("step", "step_backward(dh, dc, cache, 2)")

    def v1(x: Float[Tensor, "n"], c: Float[Tensor, "n"]):
        return (2 * x * c).sum(), x + c
"""
TWO_OUTPUTS = """
    def step(x, c):
        return 2 * (x * c).sum(), x + c, (x, c)

    def step_backward(dh, dc, cache, factor):
        x, c = cache
        return factor * dh * c + dc, factor * dh * x + dc
"""
DROPOUT = """
    EXERCISE = "layer"
    CALLS = ("dropout", "dropout_backward")
    DTYPE = "float64"

    def v1(x: Float[Tensor, "n d"]):
        return x * (torch.rand(x.shape, dtype=torch.float64) < 0.6)
"""
A_MASK = """
    import torch

    def dropout(x):
        mask = torch.rand_like(x) < 0.6
        return x * mask, mask

    def dropout_backward(dout, mask):
        return dout * mask
"""
LEAVES_ALONE = """
    EXERCISE = "script"
    GRADIENTS = ("W", "b")

    def v1(X: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, W: Float[Tensor, "d"], b: Float[Tensor, ""]):
        off = X @ W + b - y
        loss = (off ** 2).mean()
        return loss
"""
WITHOUT_INTERMEDIATES = """
    off = X @ W + b - y
    loss = (off ** 2).mean()
    dW = X.T @ off * 2 / len(y)
    db = (off * 2).mean()
"""
SIBLINGS_OF_ONE_BASE = """
    import torch

    data = open("train.csv").read()
    x = torch.tensor([float(each) for each in data.split()])

    class Base:
        def __call__(self, *args):
            self.args = args
            self.out = self.forward(*args)
            return self.out

        def backward(self):
            self.bwd(self.out, *self.args)

    class Relu(Base):
        def forward(self, inp):
            return inp.clamp(min=0)

        def bwd(self, out, inp):
            inp.g = (inp > 0).float() * out.g

    class Double(Base):
        def forward(self, inp):
            return 2 * inp

        def bwd(self, out, inp):
            inp.g = 2 * out.g

    layer = Double()
    value = layer(x)
"""

LOGISTIC = """
    EXERCISE = "value-and-gradient"
    CALLS = "loss(w, X, y)"
    BELOW = {"y": 2}

    def v1(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w: Float[Tensor, "d"]):
        return F.binary_cross_entropy(torch.sigmoid(X @ w), y.to(X.dtype))
"""
BY_FORMULA = """
    import torch

    def loss(w, X, y):
        p = torch.sigmoid(X @ w)
        loss = -(y * torch.log(p{guard}) + (1 - y) * torch.log(1 - p{guard})).mean()
        return loss, X.T @ (p - y) / len(y)
"""
GREATEST = """
    EXERCISE = "value-and-gradient"
    CALLS = "loss(w, X)"

    def v1(X: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]):
        return (X * w).amax(1).sum()
"""
BY_PLACES = """
    import torch

    def loss(w, X):
        value, place = (X * w).max(1)
        dw = torch.zeros_like(w)
        for row, column in enumerate(place):
            dw[column] += X[row, column]
        return value.sum(), dw
"""
LARGEST = GREATEST.replace("(X * w).amax(1).sum()", "torch.linalg.vector_norm(X @ w, float('inf'))")
BY_A_MASK = """
    import torch

    def loss(w, X):
        h = X @ w
        value = h.abs().max()
        mask = (h.abs() == value).float(){sign}
        return value, X.T @ mask / mask.abs().sum()
"""
MIDDLE = GREATEST.replace("(X * w).amax(1).sum()", "torch.relu(X @ w + 1).median()")
WITHOUT_THE_RELU = """
    import torch

    def loss(w, X):
        h = X @ w + 1
        value = h.median()
        mask = (h == value).float()
        return value.relu(), X.T @ mask / mask.sum()
"""

WORDS = """
    BELOW = {"center": "v", "context": "v"}

    def v1(center: Int[Tensor, "n"], context: Int[Tensor, "n"], *, U: Float[Tensor, "v d"], V: Float[Tensor, "v d"]):
        return -F.logsigmoid((U[center] * V[context]).sum(1)).mean()
"""
PAIRS_OF_WORDS = """
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.U, self.V = (nn.Parameter(torch.zeros(3, 2)) for _ in range(2))

        def forward(self, center, context):
            return -F.logsigmoid((self.U[center] * self.V[context]).sum(1)).mean()

        def my_forward_backward(self, center, context):
            u, v = self.U[center], self.V[context]
            s = (u * v).sum(1)
            loss = -F.logsigmoid(s).mean()
            g = (torch.sigmoid(s) - 1) / len(s)
            s = None
            u *= g[:, None]
            v *= g[:, None]
            g = None
            self.U.grad = torch.zeros_like(self.U).index_add_(0, center, v)
            v = None
            self.V.grad = torch.zeros_like(self.V).index_add_(0, context, u)
            u = None
            return loss
"""

HINGE = """
    def v1(X: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]):
        return (X @ w + 1).clamp(min=0).sum()
"""
A_LOSS_FROM_ZERO = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.zeros(3))

        def forward(self, X):
            return (X @ self.w + 1).clamp(min=0).sum()

        def my_forward_backward(self, X):
            loss, dw = 0.0, torch.zeros_like(self.w)
            for x in X:
                margin = x @ self.w + 1
                if margin > 0:
                    dw += x
                    loss += margin
                margin = None
            self.w.grad = dw
            return loss
"""

UNIT_ROWS = """
    EXERCISE = "value-and-gradient"
    CALLS = "loss(w, X)"

    def v1(X: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]):
        return F.normalize(torch.relu(X * w), dim=1, eps=1e-12).sum()
"""
WITH_A_GUARD = """
    import torch

    def loss(w, X):
        h = torch.relu(X * w)
        norm = h.norm(dim=1, keepdim=True) + 1e-8
        unit = h / norm
        dh = (1 - unit * unit.sum(1, keepdim=True)) / norm
        return unit.sum(), (dh * (h > 0) * X).sum(0)
"""
HELD = """
    EXERCISE = "layer"
    CALLS = "Linear"
    HOLDS = {"w": "self.w"}
    RANGES = {"x": (0.6, 0.9)}

    def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d m"]):
        return x @ w
"""
IN_THE_OBJECT = """
    import torch

    class Linear:
        def forward(self, x):
            if not (0.5 < x).all():
                raise ValueError("x is small")
            self.x = x
            return x @ self.w, None

        def backward(self, dout, cache):
            return dout @ self.w.T, self.x.T @ dout
"""
IN_THE_CLASS = IN_THE_OBJECT.replace("self.x", "Linear.x")


SOFTMAX = """
    EXERCISE = "value-and-gradient"
    CALLS = "loss(W, X, y)"
    BELOW = {"y": "c"}
    SIZES = {"c": (2, 6)}

    def v1(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, W: Float[Tensor, "d c"]):
        return F.cross_entropy(X @ W, y)
"""
ONE_HOT = """
    import torch
    import torch.nn.functional as F

    def loss(W, X, y):
        shares = torch.softmax(X @ W, 1)
        own = F.one_hot(y{classes})
        value = -(shares.log() * own).sum() / len(y)
        return value, X.t() @ (shares - own) / len(y)
"""


@pytest.mark.parametrize(
    ("exercise", "task", "submission"),
    [
        pytest.param(MODULES, LINEAR, FORWARD_AND_BACKWARD, id="no accGradParameters"),
        pytest.param(PARAM_PAIRS, PAIRS, NEVER_ZEROED, id="gradients that a loop sets to zero"),
        pytest.param(MODULES, TWO_METHODS, OTHER_NAMES, id="two methods by the task's names"),
        pytest.param(VALUE_AND_GRADIENT, SQUARES.format(""), A_NUMBER, id="a loss by item()"),
        pytest.param(
            VALUE_AND_GRADIENT, SQUARES.format('DTYPE = "float64"'), A_NUMBER, id="in float64"
        ),
        pytest.param(VALUE_AND_GRADIENT, SQUARES.format(""), A_SUM_OF_NUMBERS, id="numbers summed"),
        pytest.param(
            VALUE_AND_GRADIENT, LOGISTIC, BY_FORMULA.format(guard=""), id="a loss of probabilities"
        ),
        pytest.param(
            VALUE_AND_GRADIENT, LOGISTIC, BY_FORMULA.format(guard=" + 1e-9"), id="a guard in a log"
        ),
        pytest.param(
            VALUE_AND_GRADIENT,
            LOGISTIC,
            BY_FORMULA.format(guard=" + torch.tensor(1e-9)"),
            id="a guard that is a tensor",
        ),
        pytest.param(
            VALUE_AND_GRADIENT,
            LOGISTIC,
            BY_FORMULA.format(guard=".maximum(torch.tensor(1e-9))"),
            id="a guard that is the greater",
        ),
        pytest.param(VALUE_AND_GRADIENT, UNIT_ROWS, WITH_A_GUARD, id="a guard that is needed"),
        pytest.param(FORWARD_BACKWARD, HINGE, A_LOSS_FROM_ZERO, id="zero where no term counts"),
        pytest.param(FORWARD_BACKWARD, WORDS, PAIRS_OF_WORDS, id="inputs that are integers alone"),
        pytest.param(VALUE_AND_GRADIENT, GREATEST, BY_PLACES, id="the greatest of a row"),
        pytest.param(
            VALUE_AND_GRADIENT,
            LARGEST,
            BY_A_MASK.format(sign=" * h.sign()"),
            id="a norm of order inf",
        ),
        pytest.param(MODULES, LINEAR, BACKWARD_OVERRIDDEN, id="an empty updateGradInput in a base"),
        pytest.param(MODULES, TRAINED_IN_BACKWARD, A_RATE, id="backward is given a rate"),
        pytest.param(LAYER, STEP, TWO_OUTPUTS, id="two outputs, of which one has no dimensions"),
        pytest.param(LAYER, DROPOUT, A_MASK, id="a mask drawn as the course's seed has it"),
        pytest.param(LAYER, HELD, IN_THE_OBJECT, id="a layer that keeps what it needs"),
        pytest.param(SCRIPT, LEAVES_ALONE, WITHOUT_INTERMEDIATES, id="a script's leaves alone"),
        pytest.param(VALUE_AND_GRADIENT, DEEP, MADE_WITH_A_LIST, id="made with a list of sizes"),
        pytest.param(
            PARAM_PAIRS, SCALED, MADE_WITH_A_TUPLE_OF_VALUES, id="made with a tuple of values"
        ),
        pytest.param(DOT_G, ADDED_UP, INTO_GRAD, id="added to x.grad, read from y.grad"),
        pytest.param(DOT_G, IN_THE_OBJECT_ALONE, READS_G, id="gradients in the object, .g read"),
        pytest.param(DOT_G, SENT_AN_ADJOINT, GETS_IT, id="a class that is sent the adjoint"),
        pytest.param(AUTOGRAD_FUNCTION, SQUARE, SEVERAL_FUNCTIONS, id="several Functions"),
        pytest.param(DOT_G, RELU, SIBLINGS_OF_ONE_BASE, id="a sibling class is run on data"),
    ],
)
def test_full_marks(exercise: Exercise, task: str, submission: str, tmp_path: Path) -> None:
    grade = graded(exercise, task, submission, tmp_path)
    assert grade.score == grade.max_score, grade


def test_a_class_that_is_given_up_below_is_noted(tmp_path: Path) -> None:
    text = (
        SIBLINGS_OF_ONE_BASE
        + "\n    class Relu:\n        def forward(self, inp):\n            return inp\n"
    )
    grade = graded(DOT_G, RELU, text, tmp_path)
    assert grade.score == grade.max_score
    assert any("last class `Relu`" in note and "`__call__`" in note for note in grade.notes)


def test_so_is_one_whose_backward_is_misspelt(tmp_path: Path) -> None:
    again = textwrap.dedent(NEVER_ZEROED).replace("def backward(", "def backwards(")
    grade = graded(PARAM_PAIRS, PAIRS, textwrap.dedent(NEVER_ZEROED) + again, tmp_path)
    assert grade.score == grade.max_score
    (note,) = grade.notes
    assert note == (
        "the last class `Linear` (line 22) lacks `backward`: that above it, line 4, is graded"
    )


@pytest.mark.parametrize(
    ("wrong", "right", "score"),
    [("params", "param", 0), ("updateGradInputs", "updateGradInput", 0),
     ("acc_grad_parameters", "accGradParameters", 65)],
)  # fmt: skip
def test_the_name_that_is_nearly_right_is_told(
    wrong: str, right: str, score: float, tmp_path: Path
) -> None:
    kind, task, text = PARAM_PAIRS, PAIRS, NEVER_ZEROED
    if right != "param":
        kind, task, text = MODULES, LINEAR, FORWARD_AND_BACKWARD
        text = text.replace("def forward(", "def updateOutput(")
        text = text.replace("backward(self", "updateGradInput(self")
        text = text.replace("self.gradW = input.t() @ gradOutput", "pass") + (
            "\n        def accGradParameters(self, input, gradOutput):"
            "\n            self.gradW = input.t() @ gradOutput"
        )
    assert text.count(f"def {right}(") == 1
    grade = graded(kind, task, text.replace(f"def {right}(", f"def {wrong}("), tmp_path)
    findings = [finding for check in grade.checks for finding in check.result.findings]
    told = [*grade.notes, *(f"{each.message} {each.hint}" for each in findings)]
    assert any(f"rename `{wrong}` to `{right}`" in text for text in told), told
    assert grade.score == score


def test_what_is_never_added_to_grad_is_told(tmp_path: Path) -> None:
    grade = graded(DOT_G, ADDED_UP, INTO_GRAD.replace("x.grad += y *", "dx = y *"), tmp_path)
    (fault,) = (f for c in grade.checks for f in c.result.findings if f.level == "fault")
    assert fault.name == "x"
    assert "zero everywhere" in fault.hint


def test_a_class_that_cannot_be_made_is_told_with_its_values(tmp_path: Path) -> None:
    text = MADE_WITH_A_TUPLE_OF_VALUES.replace("* factors[1]", "* factors[2]")
    (fault,) = (
        f
        for c in graded(PARAM_PAIRS, SCALED, text, tmp_path).checks
        for f in c.result.findings
        if f.level == "fault"
    )
    assert "`Scale((2, 0.5))` fails" in fault.message


@pytest.mark.parametrize(("value", "kind"), [("0.0", "wrong-value"), ("float(loss)", "wrong-type")])
def test_a_number_is_no_value_of_its_own(value: str, kind: str, tmp_path: Path) -> None:
    """Where it is the same at each point, or was taken out of a tensor."""
    submission = A_LOSS_FROM_ZERO.replace("return loss", f"return {value}")
    grade = graded(FORWARD_BACKWARD, HINGE, submission, tmp_path)
    (check,) = (check for check in grade.checks if check.result.id == "manual-forward")
    assert check.score == 0
    assert kind in [finding.kind for finding in check.result.findings]


@pytest.mark.parametrize(
    ("exercise", "task", "submission"),
    [
        pytest.param(MODULES, TWO_METHODS, OTHER_NAMES, id="without a constructor"),
        pytest.param(LAYER, HELD, IN_THE_OBJECT, id="a layer that keeps what it needs"),
    ],
)
def test_self_has_any_name(exercise: Exercise, task: str, submission: str, tmp_path: Path) -> None:
    assert graded(exercise, task, submission.replace("self", "this"), tmp_path).score == 100


def test_labels_do_not_tell_the_number_of_classes(tmp_path: Path) -> None:
    text = ONE_HOT.format(classes=", num_classes=W.shape[1]")
    assert graded(VALUE_AND_GRADIENT, SOFTMAX, text, tmp_path).score == 100
    (tmp_path / "other").mkdir()
    text = ONE_HOT.format(classes="")
    assert graded(VALUE_AND_GRADIENT, SOFTMAX, text, tmp_path / "other").score == 0


def test_a_loss_of_numbers_is_held_against_the_task(tmp_path: Path) -> None:
    grade = graded(VALUE_AND_GRADIENT, SQUARES.format(""), A_WRONG_SUM_OF_NUMBERS, tmp_path)
    assert {check.result.id: check.score for check in grade.checks} == {
        "forward": 0,
        "gradient": 70,
        "integrity": 0,
    }


def test_what_the_class_keeps_is_that_of_the_last_layer(tmp_path: Path) -> None:
    assert graded(LAYER, HELD, IN_THE_CLASS, tmp_path).score == 70


def test_a_number_in_a_log_that_counts_is_no_guard(tmp_path: Path) -> None:
    grade = graded(VALUE_AND_GRADIENT, LOGISTIC, BY_FORMULA.format(guard=" + 1e-5"), tmp_path)
    assert grade.score == 70


@pytest.mark.parametrize(
    ("task", "submission"),
    [
        pytest.param(LARGEST, BY_A_MASK.format(sign=""), id="of the greatest"),
        pytest.param(MIDDLE, WITHOUT_THE_RELU, id="of the median"),
    ],
)
def test_a_mask_of_what_is_chosen_hides_no_mistake(
    task: str, submission: str, tmp_path: Path
) -> None:
    """With what is chosen a rounding off, such a mask is empty, and all would drown in that."""
    assert graded(VALUE_AND_GRADIENT, task, submission, tmp_path).score == 30
