"""A module that is not where grading runs is for whoever grades to mend, and no student's zero; a name that is
mistyped is the student's."""

from __future__ import annotations

from pathlib import Path

import pytest
from forms_grading import graded

from pytest_backprop.exercises.by_hand.forms.layer import LAYER

TASK = """
    EXERCISE = "layer"
    CALLS = "Linear"
    SUPPORT = ("course_helper.py",)

    def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"]):
        return x @ w
"""
SUBMISSION = """
    import torch
    {imports}

    class Linear:
        @staticmethod
        def forward(x, w):
            return {product}, (x, w)

        @staticmethod
        def backward(dout, cache):
            x, w = cache
            return dout @ w.t(), x.t() @ dout
"""


@pytest.mark.parametrize(
    ("imports", "product", "status", "score"),
    [
        pytest.param("import absent_lib", "absent_lib.mm(x, w)", "not_judged", 0, id="used"),
        pytest.param(
            "from absent_lib.mm import mm", "mm(x, w)", "not_judged", 0, id="a part of it"
        ),
        pytest.param(
            "import absent_lib\n    mm = absent_lib.mm", "mm(x, w)", "not_judged", 0, id="at load"
        ),
        pytest.param(
            "import absent_lib as plt\n    plt.rcParams['a'] = 1; plt.style.use('b')",
            "x @ w",
            "graded",
            100,
            id="never used",
        ),
        pytest.param("import troch", "troch.mm(x, w)", "graded", 0, id="mistyped"),
        pytest.param("from course_helpr import mm", "mm(x, w)", "graded", 0, id="mistyped helper"),
        pytest.param("import torch.absent", "torch.absent.mm(x, w)", "graded", 0, id="of torch's"),
        pytest.param("from .absent_lib import mm", "mm(x, w)", "graded", 0, id="of the student's"),
    ],
)
def test_who_has_to_mend_it(
    imports: str, product: str, status: str, score: float, tmp_path: Path
) -> None:
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank" / "course_helper.py").write_text("def mm(a, b):\n    return a.mm(b)\n")
    text = SUBMISSION.format(imports=imports, product=product)
    grade = graded(LAYER, TASK, text, tmp_path)
    assert (grade.status, grade.score) == (status, score)
    assert ("`absent_lib`, which is not here" in grade.message) == (status == "not_judged")
