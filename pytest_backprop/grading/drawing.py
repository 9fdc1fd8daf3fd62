"""What a page draws of a submission: its source, the data flow of its pass, the lives of values.
All of it is bounded, as it travels with the grade."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from ..judging.case import ObservedCase, PassCase
from ..judging.unused_nodes import wasted_ops
from ..model import VALUE, Op, Recording, Span, Submission, gradient_of, places
from ..model.drawing import Drawing, DrawnLife, DrawnLine, DrawnNode, DrawnTarget, Fragment, Part
from ..submission.parse import place_of
from ..trace.graph import elements, op_name
from ..trace.lateness import late_values
from ..trace.validate import MAX_ELEMENTS

OPS_DRAWN, EDGES_DRAWN = 250, 800
"""Twice what the longest variant needs; a larger graph tells a reader nothing, and a browser takes
minutes to lay it out."""
LINES_SHOWN = 3_000
"""Of a submission that is longer, the beginning is shown."""
LINE_LIMIT, LABEL_LIMIT = 400, 80
"""Characters."""


def draw(submission: Submission, case: ObservedCase | None) -> Drawing:
    """The drawing of a submission that was judged on `case`, or never ran to its end (None)."""
    if not isinstance(case, PassCase):
        return Drawing(*_source(submission))
    recording = case.recording
    edges = itertools.accumulate(
        len(producers) + len(case.flow.data_reads(position))
        for position, producers in enumerate(case.flow.producers[:OPS_DRAWN])
    )
    ops = recording.ops[: sum(count <= EDGES_DRAWN for count in edges)]
    lines = [_line(submission, op.site or _last_span(recording, op)) for op in ops]
    late = {value.life.storage for value in late_values(case.flow, loops=case.loops)}
    leaves, leaf_at = _leaves(case)
    nodes_of, nodes = _nodes(case, lines, leaf_at, late)
    step_of, steps = _steps(submission, recording, ops)
    live = [0] * len(steps)
    for step, count in zip(step_of, recording.live, strict=False):
        live[step] = max(live[step], count)
    return Drawing(
        *_source(submission),
        leaves=leaves,
        nodes=nodes,
        targets=_targets(case, nodes_of),
        steps=steps,
        lives=tuple(_lives(recording, lines, step_of, late)),
        live=tuple(live),
        autograd_peak=case.cost.peak_live,
        left_out=len(recording.ops) - len(ops),
    )


# -- data flow ----------------------------------------------------------------------------------

LeafAt = dict[tuple[int, int], int]
"""Storage and element -> the position, in `Drawing.leaves`, of the leaf that stands there."""


def _leaves(case: PassCase) -> tuple[tuple[str, ...], LeafAt]:
    """What the weights and inputs are numbers of, weights first, and where each stands."""
    names = {name: own for name, own in places(case.leaves).items() if own}
    leaf_of = [at for at, own in enumerate(names.values()) for _ in own]  # of each number
    leaf_at: LeafAt = {}
    for number, value in enumerate(case.recording.values):
        if value.origin in ("weight", "input"):
            for place, element in enumerate(_elements(case.recording, number), value.leaf):
                leaf_at[value.storage, element] = leaf_of[place]
    return tuple(names), leaf_at


def _elements(recording: Recording, value: int) -> tuple[int, ...]:
    small = math.prod(recording.values[value].shape) <= MAX_ELEMENTS
    return elements(recording.values[value]) if small else ()


def _nodes(
    case: PassCase, lines: Sequence[DrawnLine | None], leaf_at: LeafAt, late: set[int]
) -> tuple[dict[int, tuple[int, ...]], tuple[DrawnNode, ...]]:
    """For each op the nodes that stand for it, and the nodes. An op stands for itself; one that is
    no node (a view, Python's look at a number) is told by those whose data it passes on."""
    flow, recording = case.flow, case.recording
    to_y = flow.serving(VALUE)
    wasted = set(wasted_ops(case))
    late_born = {life.born for life in recording.lives if life.storage in late}
    nodes_of: dict[int, tuple[int, ...]] = {}
    nodes: list[DrawnNode] = []
    for position, line in enumerate(lines):
        op = recording.ops[position]
        sources = _merged(nodes_of[p] for p in flow.producers[position])
        if op.context == "python" or op.target == "torch::element" or position in flow.views:
            nodes_of[position] = sources
            continue
        part: Part = "side"
        if position in wasted:
            part = "unused"
        elif position in to_y:
            part = "forward"
        elif position in flow.reached:
            part = "backward"
        read = {
            leaf_at.get((recording.values[value].storage, element))
            for value in flow.data_reads(position)
            for element in _elements(recording, value)
        }
        leaves = tuple(sorted(leaf for leaf in read if leaf is not None))
        name = None if op.name is None else _clipped(op.name)
        is_late = position in late_born
        nodes_of[position] = (len(nodes),)
        nodes.append(DrawnNode(_clipped(op_name(op)), name, line, part, sources, leaves, is_late))
    return nodes_of, tuple(nodes)


def _targets(case: PassCase, nodes_of: dict[int, tuple[int, ...]]) -> tuple[DrawnTarget, ...]:
    sources = case.flow.sources
    targets = [("y", sources[VALUE])]
    targets += [(f"∂y/∂{name}", sources[gradient_of(name)]) for name in case.gradients]
    # gradients put together in one tensor come from one node
    labels: dict[tuple[int, ...], list[str]] = {}
    for label, ops in targets:
        labels.setdefault(_merged(nodes_of.get(p, ()) for p in ops), []).append(label)
    return tuple(DrawnTarget(", ".join(names), nodes) for nodes, names in labels.items())


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
            steps.append(_line(submission, _last_span(recording, op)))
        step_of.append(len(steps) - 1)
    return step_of, tuple(steps)


def _lives(
    recording: Recording, lines: Sequence[DrawnLine | None], step_of: Sequence[int], late: set[int]
) -> Iterator[DrawnLife]:
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
            lines[life.born],
            step_of[life.born],
            used,
            ended,
            "none" if ended == used else "late" if life.storage in late else "kept",
        )


# -- source -------------------------------------------------------------------------------------


def _line(submission: Submission, span: Span | None) -> DrawnLine | None:
    place = place_of(submission, span)
    return None if place is None or place.file else DrawnLine(place.cell, place.line)


def _last_span(recording: Recording, op: Op) -> Span | None:
    spans = recording.statements[op.statement].spans
    return next((span for span in reversed(spans) if span is not None), None)


def _source(submission: Submission) -> tuple[tuple[Fragment, ...], int]:
    """The text of the file that is graded, from its beginning, as far as it is shown, and how many
    lines are left out."""
    fragments = []
    rest, left_out = LINES_SHOWN, 0
    for unit in (unit for unit in submission.units if not unit.module):
        text = (unit.original or unit.text).split("\n")
        if lines := tuple(_clipped(line, LINE_LIMIT) for line in text[:rest]):
            fragments.append(Fragment(unit.cell, 1, lines))
        rest -= len(lines)
        left_out += len(text) - len(lines)
    return tuple(fragments), left_out


def _clipped(text: str, limit: int = LABEL_LIMIT) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"
