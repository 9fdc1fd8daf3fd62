"""The line at which a method on tensors goes wrong, in the words of the field, or those of several
lines that may be it.

Of several changes that make everything right (`tensor_hits`), that one is likelier which is easily
mistyped, of an op whose operands are right and which is not (`tensor_standing`), and which leaves
the least that is nothing the task has. Where no change does, it is the one line that does not go on
from what is right to what is right.
"""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import torch

from ..exercises.functions.typed_task import MatrixVariant
from ..judging.case import Case, Method, calling_site
from ..judging.compare import judge_output, wrong_at
from ..messages import say
from ..model import VALUE, Leaf, Op, Span, Submission, gradient_of
from ..trace.calls import DISTRUST, NotReplayable
from ..trace.replay import Program
from .graph_tensors import TaskValues
from .tensor_aliases import Alias, Aliases
from .tensor_bench import TensorBench
from .tensor_hits import ROUNDS, UNREAD, Costs, Mended, TensorSearch
from .tensor_slopes import WantedOutputs, usual_factors
from .tensor_standing import APPENDED, Standings
from .tensor_writes import changed_in_place, stray_line, unadded
from .wording import BY_PLACE, MAX_TOLD, FaultyLine, goes_wrong, instead

_LOG = logging.getLogger(__name__)
POINTS = 6
"""At which a change must make everything right."""
FEWEST = 2
"""Points of one way through a pass, of which a change that is right at one alone says nothing."""
MOST_OPS = 2000
"""Of a pass in which a line is sought: a naive loop over pixels has thousands, each change runs all
of them, and a search may not cost the grade."""
MOST_NUMBERS = 500_000
"""Of all tensors that a task has at a point, of each of which two dozen others are made."""
LONG = 100
"""Ops from which on tensors of the task are tried before other unlikely changes: they are few."""
LIKELY = 1.5
"""The cost of a change up to which what is right itself is not changed besides."""
PLAIN = 2.0
"""The cost of a change up to which nothing else is thought of."""
MARGIN = 0.75
"""By how much less likely a change of any other line must be, or both lines are told."""


def lines_on_tensors(
    case: Case, submission: Submission, variant: MatrixVariant, method: Method
) -> Sequence[FaultyLine]:
    """The lines of a method that can be replayed, any one of which may be the mistake. None where
    nothing is certain."""
    wrong = _wrong_pass(case, method)
    if wrong is None or (wrong.is_long and not wrong.is_zero):
        return ()
    wanted, points = wrong.wanted, method.expected.points[wrong.at]
    recording = wrong.program.flow.recording
    site_of = functools.partial(calling_site, submission, case.evidence.class_name, recording)
    try:
        task = TaskValues(variant)
        tensors = [task.at(point) for point in points]
        if sum(tensor.numel() for tensor in tensors[0].all) > MOST_NUMBERS:
            return ()
        bench = TensorBench(_whole(wrong.program), variant.leaves, points, tensors)
        if wrong.is_zero and (key := unadded(bench, wanted)) is not None:
            op = bench.op(key)
            return [_unadded_line(site_of(op), op.name, wanted.wrong)]
        if wrong.is_long:
            return ()
        if VALUE not in wanted.wrong:
            bench.add_own()
        aliases = Aliases(submission)
        mended = mend(bench, wanted, variant.leaves, aliases, wrong.is_branch)
        if wrong.is_branch:  # the way may be wrong itself, unless something right took it
            unsure = ("value", "lost term", *(() if wanted.right else (BY_PLACE,)))
            mended = [each for each in mended if each.edit.kind not in unsure]
        is_vague = all(each.edit.kind in ("value", BY_PLACE) for each in mended)
        alias = aliases.idle
        own = None if is_vague else bench.op(mended[0].key).name
        if alias is not None and own not in (None, alias.name):
            alias = None  # what goes wrong has another name
        alias = alias if mended or alias else _unmade(bench, wanted, aliases)
        if alias is not None:
            text = goes_wrong("unmade", alias.name)
            return [FaultyLine("unmade", alias.site, alias.name, text, "alone")]
        return _lines(bench, aliases, mended, site_of)
    except DISTRUST:
        _LOG.debug("a search for the wrong line broke off", exc_info=True)
        return ()


class _WrongPass(NamedTuple):
    """The program of a pass, of one way where it takes several (`is_branch`), and the points of the
    method at which a change must make everything right. `is_zero`: all that is wrong is zeros."""

    program: Program
    at: torch.Tensor
    wanted: WantedOutputs
    is_zero: bool
    is_branch: bool

    @property
    def is_long(self) -> bool:
        """Whether no line is sought by changes."""
        return len(self.program.flow.recording.ops) > MOST_OPS


def _wrong_pass(case: Case, method: Method) -> _WrongPass | None:
    """None where nothing is wrong at such points, or no program says of what it is made."""
    verified, expected = method.verified, method.expected
    program, judged = verified.program, expected.judged
    replayed = {} if method.replayed is None else method.replayed.only(expected.widths).outputs
    off = {
        name: wrong_at(got, expected.outputs[name], judged[:, None], case.tolerance)
        for name, got in replayed.items()
    }
    wrong = [name for name in off if judge_output(method, name, case.tolerance).wrong is not None]
    # first the points at which most is wrong: a fault may show on one side of a kink alone
    telling = sum((off[name].any(1).long() for name in wrong), torch.zeros_like(judged).long())
    paths = verified.paths if verified.how == "branches" else ()
    if paths:
        path = max(paths, key=lambda path: int(telling[[*path.runs]].sum()))
        program, own = path.program, torch.zeros_like(judged)
        own[[*path.runs]] = True
        judged = judged & own
    # where a right output is off, it is so by roundings, or on a singularity
    right = [name for name in off if name not in wrong]
    for name in right:
        judged = judged & ~off[name].any(1)
    # where a pass branches, those at which least is: it took the right way there
    worst = torch.where(telling > 0, -telling, -len(off) - 1) if paths else telling
    rows = judged.nonzero()[:, 0]
    at = rows[worst[rows].argsort(descending=True, stable=True)]
    # the last, at which least is wrong, tell a mistake from what is right where most is
    at = at[:POINTS] if paths or len(at) < POINTS else torch.cat([at[: POINTS - 2], at[-2:]])
    if program is None or len(at) < FEWEST or not telling[at].any():
        return None
    outputs = {name: numbers[at] for name, numbers in expected.outputs.items()}
    wrong = [name for name in wrong if off[name][at].any()]
    right = [name for name in off if name not in wrong]
    wanted = WantedOutputs(outputs, right, wrong, *case.tolerance)
    is_zero = not paths and not any(replayed[name].any() for name in wrong)
    return _WrongPass(program, at, wanted, is_zero, bool(paths))


def _lines(
    bench: TensorBench,
    aliases: Aliases,
    mended: Sequence[Mended],
    site_of: Callable[[Op], Span | None],
) -> list[FaultyLine]:
    """The lines of changes, a line once."""
    by_line: dict[tuple[int, int] | None, tuple[Mended, Span | None, str | None]] = {}
    for each in mended[:MAX_TOLD]:
        site, called = _binding(bench, aliases, each, site_of(bench.op(each.key)))
        site = _call_site(bench, aliases, each) or site
        line = None if site is None else (site.unit, site.line)
        by_line.setdefault(line, (each, site, called))
    lines: list[FaultyLine] = []
    for each, site, called in by_line.values():
        kind = each.edit.kind
        sure = "alone" if len(by_line) == 1 else "one of several"
        text = instead(called) if lines else goes_wrong(kind, called)
        sure = "by role" if kind == BY_PLACE else sure
        lines.append(FaultyLine(kind, site, called, text, sure))
    return lines


def _unadded_line(site: Span | None, own: str | None, zeros: Sequence[str]) -> FaultyLine:
    weight = zeros[0].removeprefix(gradient_of(""))
    what = say("the gradient of {weight}", weight=weight) if own is None else f"`{own}`"
    text = say("{what} is zeros here, and nothing is added to it", what=what)
    return FaultyLine("unadded", site, own, text, "alone")


def _unmade(bench: TensorBench, wanted: WantedOutputs, aliases: Aliases) -> Alias | None:
    """The line that gives something right the name of the only wrong output, as `dx = dout`."""
    ops, flow, (name, *others) = bench.flow.recording.ops, bench.flow, wanted.wrong
    if others:
        return None
    serving = flow.serving(*wanted.right)
    is_unmade = all(at in serving or ops[at].site is None for at in flow.sources[name])
    if not is_unmade:
        return None
    if name == VALUE:
        return aliases.of_any({ops[at].name for at in flow.sources[name]})
    return aliases.of_gradient(name.removeprefix(gradient_of("")))


def _binding(
    bench: TensorBench, aliases: Aliases, hit: Mended, site: Span | None
) -> tuple[Span | None, str | None]:
    """The line of a change, and the name that it gives: its own; or that of the line which only
    gives the same value another name, where the own name says what it is."""
    if (alias := bench.aliases.get(hit.key)) is not None:
        return alias.site, alias.name or None
    op, ops, results = bench.op(hit.key), bench.flow.recording.ops, bench.results[0]
    last = max(at for at in results if ops[at].statement == op.statement)
    name = ops[last].name
    is_right = bench.names.holds(name, results[last], bench.task[0].of)
    if site is not None and hit.edit.kind in APPENDED and is_right:
        alias = aliases.after(site, name)
    return (site, op.name) if alias is None else (alias.site, alias.name)


def _call_site(bench: TensorBench, aliases: Aliases, hit: Mended) -> Span | None:
    """The call of a function that does not have what a change of it reads: there something else
    is to be handed on, or to be made of what is returned. None where the function has it."""
    op = bench.op(hit.key)
    statement = bench.flow.recording.statements[op.statement]
    # a lambda is part of a statement, which need not be its own
    calls = [*zip(statement.path, (*statement.spans[:-1], op.site), strict=True)]
    site: Span | None = None
    while len(calls) > 1:
        (frame, _), span = calls.pop()
        if span is None or not aliases.reads_all(span):
            break
        read = bench.read_by(hit.key, hit.edit.variant)  # a run of the pass
        handed = aliases.names_at(calls[-1][1])
        if all(name in handed or bench.is_seen(frame, tensor) for name, tensor in read):
            break
        site = calls[-1][1]
    return site


def _whole(program: Program) -> Program:
    """A program with what the outputs do not need, too: a student may have forgotten to read it,
    or what his function is called with."""
    flow = program.flow
    ops = enumerate(flow.recording.ops)
    also = {
        at
        for at, op in ops
        if op.context != "python"
        and (at not in flow.views or op.site is None or op.name is not None)
    }
    try:
        return Program(flow.recording, flow, also)
    except NotReplayable:
        return program


def mend(
    bench: TensorBench,
    wanted: WantedOutputs,
    leaves: Sequence[Leaf],
    aliases: Aliases,
    is_branch: bool = False,
) -> list[Mended]:
    """The likeliest of the changes that make all outputs right at the points of the bench, and
    those of other lines that are nearly as likely; none where there is no such change. Where the
    way that a pass takes may be wrong itself (`is_branch`), no tensor of the task is put in."""
    standing = Standings(bench, wanted, _unclear(bench, leaves, aliases.numbers))
    serving = standing.serving
    right = {p for p in bench.results[0] if standing.is_right(p)}
    if (changed := changed_in_place(bench, standing, aliases)) is not None:
        return [changed]
    outputs = bench.flow.recording.outputs
    bench.add_reads(serving, {outputs[name].value for name in wanted.right}, aliases)
    bench.add_calls()
    search = TensorSearch(bench, wanted, leaves, standing.reads_right)
    ranked: list[Mended] = []
    upstream: set[int] | None = None
    """Of the likeliest change so far what may be wrong itself."""
    soon, later, whole = ROUNDS
    is_long = len(bench.results[0]) > LONG
    rounds = (soon, whole, later) if is_long else ROUNDS
    for costs in (soon, later) if is_branch else rounds:
        # first what is not right itself; a gradient may be right though the value goes wrong before
        asks = functools.partial(_is_asked, right=right, upstream=upstream)
        hits = search.hits(serving, costs, asks)
        least = min((hit.edit.cost + UNREAD for hit in hits), default=costs.within)
        if least > LIKELY and upstream is None:
            likelier = costs._replace(within=least)
            hits += search.hits(serving, likelier, lambda positions: positions <= right)
        if ranked := ranked + standing.ranked(hits):
            likeliest = min(ranked, key=lambda hit: (hit.rank, hit.position))
            at = likeliest.position
            upstream = bench.flow.upstream({at}) & standing.suspects - {at}
            if not upstream and (likeliest.edit.kind in APPENDED or at not in right):
                break
    is_plain = any(hit.edit.cost <= PLAIN for hit in ranked)
    if not is_plain and (stray := stray_line(bench)) is not None:
        return [stray]
    if not ranked and VALUE in wanted.wrong:
        ranked = standing.ranked(search.hits((), Costs(0, math.inf)))
    likely = [hit._replace(rank=hit.rank + standing.strange_after(hit)) for hit in ranked]
    likely.sort(key=lambda hit: (hit.rank, hit.position))
    if not likely:
        only = standing.only_line()
        return [] if only is None else [only]
    first, *others = likely
    near = [hit for hit in others if hit.rank <= first.rank + MARGIN]
    rivals = [
        hit for hit in near if hit.edit.kind in APPENDED or not standing.is_right(hit.position)
    ]
    by_line = {hit.line: hit for hit in reversed([first, *rivals])}
    return sorted(by_line.values(), key=lambda hit: (hit.rank, hit.position))


def _unclear(bench: TensorBench, leaves: Sequence[Leaf], numbers: Collection[float]) -> set[int]:
    """The statements that read a number which the text does not have, nor is one of the usual:
    Python made it, and it may be wrong itself. Sizes are no floats."""
    small = [number for number in usual_factors(leaves) if abs(number) < 1]
    usual = [abs(number * times) for number in (*small, *numbers) for times in (0.5, 1, 2)]
    return {
        op.statement
        for op in bench.flow.recording.ops
        for arg in (op.args if op.context != "python" else ())
        if isinstance(arg, float) and not any(math.isclose(abs(arg), each) for each in usual)
    }


def _is_asked(positions: set[int], right: set[int], upstream: set[int] | None) -> bool:
    return not positions <= right and (not upstream or not positions.isdisjoint(upstream))
