"""The oracle of what is as good to mend: lines of which torch alone says so."""

from __future__ import annotations

import pytest
from line_edits import mended_by
from tensor_programs import program

PROGRAM = program(
    "a line after another",
    """
    def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, w: Float[Tensor, "d"]):
        return ((torch.tanh(x @ w) - y) ** 2).mean()
    """,
    """
    h = torch.tanh(x @ self.w)
    off = h - y
    loss = (off ** 2).mean()
    dh = 2 * off / len(x)
    dz = dh * (1 - h ** 2)
    self.w.grad = x.T @ dz
    return loss
    """,
)


@pytest.mark.parametrize(
    ("right", "wrong", "line", "edited"),
    [
        ("dh = 2 * off / len(x)", "dh = -2 * off / len(x)", 5, "dz = -(dh * (1 - h ** 2))"),
        ("dh = 2 * off / len(x)", "dh = -2 * off / len(x)", 6, "self.w.grad = -(x.T @ dz)"),
        ("dh = 2 * off / len(x)", "dh = 2 * off", 1, None),
        ("dz = dh * (1 - h ** 2)", "dz = dh", 5, "dz = dh * (1 - h ** 2)"),
        ("dz = dh * (1 - h ** 2)", "dz = dh", 6, "self.w.grad = x.T * (1 - h ** 2) @ dz"),
        ("dz = dh * (1 - h ** 2)", "dz = dh", 1, None),
        ("dz = dh * (1 - h ** 2)", "dz = dh", 2, None),
        ("off = h - y", "off = h + y", 2, "off = h - y"),
        ("off = h - y", "off = h + y", 4, None),
    ],
)
def test_a_line_is_as_good_where_one_edit_of_it_mends_the_pass(
    right: str, wrong: str, line: int, edited: str | None
) -> None:
    body = PROGRAM.body.replace(right, wrong)
    assert mended_by(PROGRAM, body, line) == edited
