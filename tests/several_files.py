"""A layer in two files of a student's, which import helpers of the course's; the tasks, with what these may be."""

from __future__ import annotations

SUPPORT = '("course_helper.py", "course_tools/__init__.py", "course_tools/solver.py")'
TASK = f"""
EXERCISE = "layer"
CALLS = "LinearReLU"
SUPPORT = {SUPPORT}


def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return (x @ w + b).clamp(min=0)
"""
BANK: dict[str, str | bytes] = {
    "v1.py": TASK,
    "v2.py": TASK.replace("v1", "v2").replace("LinearReLU", "Linear").replace(".clamp(min=0)", ""),
    "v3.py": TASK.replace("v1", "v3").replace("course_helper", "broken_helper"),
    "v4.py": TASK.replace("v1", "v4").replace("course_helper", "lacking_helper"),
    "broken_helper.py": "def matmul(a, b):\n    return a.mm(b)\n\n\nmatmul.table = matmul(1, 2)\n",
    "lacking_helper.py": "import nowhere\n\n\ndef matmul(a, b):\n    return nowhere.mm(a, b)\n",
    "course_helper.py": """
import torch
import a_library_that_is_nowhere


def matmul(a, b):
    return a.mm(b)


def by_autograd(f, x, dout):
    x = x.detach().clone().requires_grad_()
    with torch.enable_grad():
        f(x).backward(dout)
    return x.grad


SLOPE = float(by_autograd(torch.relu, torch.ones(1), torch.ones(1)))
""",
    "course_tools/__init__.py": "from .solver import *\n",
    "course_tools/solver.py": "import torch\n\n\ndef total(x):\n    return x.sum(0)\n",
}
LINEAR = """
import torch
from course_helper import matmul

undefined_here.plot()


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        return matmul(x, w) + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        db = dout.sum(0)
        dx = matmul(dout, w.t())
        dw = matmul(x.t(), dout)
        return dx, dw, db
"""
LAYER_FILE = """
import torch
from linear import Linear


class LinearReLU(object):
    @staticmethod
    def forward(x, w, b):
        a, cache = Linear.forward(x, w, b)
        return a.clamp(min=0), (a, cache)

    @staticmethod
    def backward(dout, cache):
        a, cache = cache
        return Linear.backward(dout * (a > 0), cache)
"""
IMPORT = "from linear import Linear\n"
