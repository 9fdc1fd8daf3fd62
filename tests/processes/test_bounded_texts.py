"""Texts of an answer are cut where it is decoded; what is short, and every number, stays as it is."""

from __future__ import annotations

import msgspec
from hypothesis import given, strategies as st

from pytest_backprop.model import (
    Breach,
    Evidence,
    Fault,
    Items,
    Life,
    Observation,
    Op,
    Output,
    Recording,
)
from pytest_backprop.processes.protocol import MAX_LISTED, MAX_TEXT, LoadProblem, Ran, bounded

SMALL = st.text(max_size=64)


def op(name: str, arg: str) -> Op:
    return Op(
        "aten::mul.Tensor",
        (Items((arg, 1.5)),),
        {"rounding_mode": arg},
        (0,),
        (),
        (1,),
        0,
        name=name,
    )


def ran(text: str, notes: tuple[str, ...] = ()) -> Ran:
    recording = Recording(
        (), (op(text, text),), (), (Life(0, 0, 0, None, (text,)),), (1,), (Breach("autograd", text, None),),
        {"grad.w0": Output(0, 0)},
    )  # fmt: skip
    run = Observation({"value": text, "grad.w0": None}, 0, Fault("ValueError", text))
    return Ran((Evidence("Net", "pass", "float32", (run,), (run,), (), (recording,), notes),))


@given(SMALL, st.lists(SMALL, max_size=5).map(tuple))
def test_an_answer_of_short_texts_is_the_same_object(text: str, notes: tuple[str, ...]) -> None:
    answer = ran(text, notes)
    again = bounded(answer)
    assert again == answer
    if not notes:
        assert (
            again.evidences[0].pass_recordings[0].lives
            is answer.evidences[0].pass_recordings[0].lives
        )


def test_every_text_of_an_answer_is_cut() -> None:
    answer = ran("x" * 10_000)
    cut = bounded(answer)
    texts = [part for part in _texts(msgspec.to_builtins(cut)) if "x" in part]
    before = [part for part in _texts(msgspec.to_builtins(answer)) if len(part) > MAX_TEXT]
    assert len(texts) >= len(before) == 9
    assert all(
        len(text) == MAX_TEXT and text.endswith("…") for text in texts if text.count("x") > 1
    )


def test_a_list_of_texts_has_a_bound() -> None:
    notes = bounded(ran("", tuple("y" for _ in range(10_000)))).evidences[0].notes
    assert len(notes) == MAX_LISTED


def test_half_characters_are_replaced() -> None:
    assert msgspec.msgpack.encode(bounded(LoadProblem("no-class", "a\udc80b")))


def test_a_problem_keeps_its_place() -> None:
    problem = LoadProblem("no-class", "z" * MAX_TEXT, "rename it")
    assert bounded(problem) is problem


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = (
        value.values()
        if isinstance(value, dict)
        else value
        if isinstance(value, list | tuple)
        else ()
    )
    return [text for part in parts for text in _texts(part)]
