"""What a page draws of a submission: its source, the data flow of its pass, the lives of values.

All of it is bounded here, as it travels with the grade: a pass may have thousands of ops, and a
submission megabytes of text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ..judging.case import Case, ObservedCase, PassCase
from ..judging.unused_nodes import wasted_ops
from ..model import VALUE, GradedCheck, Op, Place, Recording, Span, Submission, gradient_of
from ..model.drawing import Drawing, DrawnLife, DrawnLine, DrawnNode, DrawnTarget, Fragment, Part
from ..trace.graph import DataFlow, elements, op_name
from ..trace.lateness import late_values
from ..trace.validate import MAX_ELEMENTS

OPS_DRAWN, EDGES_DRAWN = 250, 800
"""Twice what the longest variant needs; a larger graph tells a reader nothing, and a browser takes
minutes to lay it out."""
LINES_SHOWN, CHARACTERS_SHOWN = 3_000, 150_000
"""Of a submission that is longer, only what lies around the lines that matter is shown."""
AROUND = 15
"""Lines shown before and after one that matters."""
LINE_LIMIT, LABEL_LIMIT = 400, 80
"""Characters."""


def draw(
    submission: Submission,
    checks: Sequence[GradedCheck],
    case: ObservedCase | None = None,
) -> Drawing:
    """The drawing of a submission that was judged on `case`, or never ran to its end (None)."""
    places = [f.place for c in checks for f in c.result.findings if f.place is not None]
    if not isinstance(case, PassCase):
        return Drawing(*_source(submission, [], places))
    recording = case.recording
    ops = recording.ops[: _drawable(case.flow)]
    at = [_line(submission, recording, op) for op in ops]
    late = {found.life.storage for found in late_values(case.flow, loops=case.loops)}
    drawn, nodes = _nodes(case, at, late, set(wasted_ops(case)))
    step_of, steps = _steps(submission, recording, ops)
    leaves, leaf_of = _leaves(case)
    nodes = tuple(
        replace(node, leaves=tuple(sorted({leaf_of[at] for at in node.leaves}))) for node in nodes
    )
    return Drawing(
        *_source(submission, at, places),
        leaves=leaves,
        nodes=nodes,
        targets=_targets(case, drawn),
        steps=steps,
        lives=tuple(_lives(recording, at, step_of, late)),
        live=_live(recording, step_of, len(steps)),
        autograd_peak=case.cost.peak_live,
        left_out=len(recording.ops) - len(ops),
    )


def _drawable(flow: DataFlow) -> int:
    """How many ops, from the first, can be drawn."""
    edges = 0
    for position, producers in enumerate(flow.producers[:OPS_DRAWN]):
        edges += len(producers) + len(flow.data_reads(position))
        if edges > EDGES_DRAWN:
            return position
    return OPS_DRAWN


# -- data flow ----------------------------------------------------------------------------------


def _nodes(
    case: PassCase, at: Sequence[DrawnLine | None], late: set[int], wasted: set[int]
) -> tuple[dict[int, tuple[int, ...]], tuple[DrawnNode, ...]]:
    """The nodes, and for each op the nodes that stand for it: itself, or for one that is no node
    (a view, Python's look at a number) those whose data it passes on."""
    flow, recording = case.flow, case.recording
    leaves = _Leaves(recording, len(case.weight_names))
    to_y = flow.upstream(flow.sources[VALUE])
    late_born = {life.born for life in recording.lives if life.storage in late}
    drawn: dict[int, tuple[int, ...]] = {}
    nodes: list[DrawnNode] = []
    for position, line in enumerate(at):
        op = recording.ops[position]
        sources = _merged(drawn[p] for p in sorted(flow.producers[position]))
        if op.context == "python" or op.target == "torch::element" or position in flow.views:
            drawn[position] = sources
            continue
        part: Part = "side"
        if position in wasted:
            part = "unused"
        elif position in to_y:
            part = "forward"
        elif position in flow.reached:
            part = "backward"
        drawn[position] = (len(nodes),)
        nodes.append(
            DrawnNode(
                _clipped(op_name(op)),
                None if op.name is None else _clipped(op.name),
                line,
                part,
                sources,
                leaves.read_by(flow, position),
                position in late_born,
            )
        )
    return drawn, tuple(nodes)


def _leaves(case: Case) -> tuple[tuple[str, ...], list[int]]:
    """What the weights and inputs are numbers of, and for each number, weights first, the
    position of its tensor among them; where there is none each stands for itself."""
    numbers = (*case.weight_names, *case.input_names)
    if not case.leaves:
        return numbers, list(range(len(numbers)))
    floats = [leaf for leaf in case.leaves if leaf.elements]
    ordered = sorted(floats, key=lambda leaf: leaf.kind, reverse=True)  # weights, then inputs
    leaf_of = [at for at, leaf in enumerate(ordered) for _ in leaf.elements]
    return tuple(leaf.name for leaf in ordered), leaf_of


class _Leaves:
    """Which leaf, weights before inputs, stands at which element of which storage."""

    def __init__(self, recording: Recording, weights: int) -> None:
        self._values = recording.values
        self._at: dict[tuple[int, int], int] = {}
        for number, value in enumerate(recording.values):
            if value.origin in ("weight", "input"):
                first = 0 if value.origin == "weight" else weights
                for element, leaf in zip(self._elements(number), value.leaf, strict=False):
                    self._at[value.storage, element] = first + leaf

    def read_by(self, flow: DataFlow, position: int) -> tuple[int, ...]:
        found = {
            self._at.get((self._values[value].storage, element))
            for value in flow.data_reads(position)
            for element in self._elements(value)
        }
        return tuple(sorted(leaf for leaf in found if leaf is not None))

    def _elements(self, value: int) -> tuple[int, ...]:
        small = math.prod(self._values[value].shape) <= MAX_ELEMENTS
        return elements(self._values[value]) if small else ()


def _targets(case: PassCase, drawn: dict[int, tuple[int, ...]]) -> tuple[DrawnTarget, ...]:
    sources = case.flow.sources
    made = [("y", sources[VALUE])]
    made += [(f"∂y/∂{name}", sources[gradient_of(name)]) for name in case.gradients]
    # gradients put together in one tensor come from one node
    labels: dict[tuple[int, ...], list[str]] = {}
    for label, ops in made:
        labels.setdefault(_merged(drawn.get(p, ()) for p in ops), []).append(label)
    return tuple(DrawnTarget(", ".join(told), nodes) for nodes, told in labels.items())


def _merged(groups: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sorted({node for group in groups for node in group}))


# -- lives --------------------------------------------------------------------------------------


def _steps(
    submission: Submission, recording: Recording, ops: Sequence[Op]
) -> tuple[list[int], tuple[DrawnLine | None, ...]]:
    """For each op its step, and for each step its line."""
    step_of: list[int] = []
    steps: list[DrawnLine | None] = []
    before = None
    for op in ops:
        if op.statement != before:
            before = op.statement
            spans = [span for span in recording.statements[before].spans if span is not None]
            steps.append(_at(submission, spans[-1] if spans else None))
        step_of.append(len(steps) - 1)
    return step_of, tuple(steps)


def _lives(
    recording: Recording, at: Sequence[DrawnLine | None], step_of: Sequence[int], late: set[int]
) -> Iterable[DrawnLife]:
    last = len(step_of) - 1
    for life in recording.lives:
        if life.born > last:
            continue
        op = recording.ops[life.born]
        used = step_of[min(life.last_use, last)]
        end = last if life.dead_by is None else min(life.dead_by - 1, last)
        ended = max(used, step_of[max(end, 0)])
        name = op.name or next(iter(life.holders), None) or op_name(op)
        yield DrawnLife(
            _clipped(name),
            at[life.born],
            step_of[life.born],
            used,
            ended,
            "none" if ended == used else "late" if life.storage in late else "kept",
        )


def _live(recording: Recording, step_of: Sequence[int], steps: int) -> tuple[int, ...]:
    found = [0] * steps
    for step, count in zip(step_of, recording.live, strict=False):
        found[step] = max(found[step], count)
    return tuple(found)


# -- source -------------------------------------------------------------------------------------


def _line(submission: Submission, recording: Recording, op: Op) -> DrawnLine | None:
    spans = [span for span in recording.statements[op.statement].spans if span is not None]
    return _at(submission, op.site or (spans[-1] if spans else None))


def _at(submission: Submission, span: Span | None) -> DrawnLine | None:
    if span is None or not 0 <= span.unit < len(submission.units) or span.line < 1:
        return None
    return DrawnLine(submission.units[span.unit].cell, span.line)


def _source(
    submission: Submission, at: Sequence[DrawnLine | None], places: Sequence[Place]
) -> tuple[tuple[Fragment, ...], int]:
    """The fragments to show, and how many lines are left out."""
    units = [(u.cell, (u.original or u.text).split("\n")) for u in submission.units]
    total = sum(len(lines) for _, lines in units)
    size = sum(len(line) for _, lines in units for line in lines)
    if total <= LINES_SHOWN and size <= CHARACTERS_SHOWN:
        return tuple(Fragment(cell, 1, _cut(lines)) for cell, lines in units), 0
    matter = {(line.cell, line.line) for line in at if line is not None}
    matter |= {(place.cell, place.line) for place in places}
    fragments: list[Fragment] = []
    shown = characters = 0
    for cell, lines in units:
        around = {
            number
            for other, line in matter
            if other == cell
            for number in range(line - AROUND, line + AROUND + 1)
        }
        near = sorted(number for number in around if 1 <= number <= len(lines))
        if not matter and not fragments:
            near = list(range(1, min(len(lines), 10 * AROUND) + 1))
        for first, last in _stretches(near):
            kept = _cut(lines[first - 1 : last])
            shown += len(kept)
            characters += sum(map(len, kept))
            if shown > LINES_SHOWN or characters > CHARACTERS_SHOWN:
                return tuple(fragments), total - (shown - len(kept))
            fragments.append(Fragment(cell, first, kept))
    return tuple(fragments), total - shown


def _stretches(numbers: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Stretches of consecutive numbers, as (first, last)."""
    first = None
    for position, number in enumerate(numbers):
        first = number if first is None else first
        if position + 1 == len(numbers) or numbers[position + 1] != number + 1:
            yield first, number
            first = None


def _cut(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line if len(line) <= LINE_LIMIT else f"{line[:LINE_LIMIT]}…" for line in lines)


def _clipped(text: str) -> str:
    return text if len(text) <= LABEL_LIMIT else f"{text[:LABEL_LIMIT]}…"
