"""The line at which a pass on tensors goes wrong, where it is certain which.

Of several changes that make it right (`tensor_hits`), that one is likelier which is easily
mistyped, of an op whose operands are right and which is not (`tensor_standing`), and which leaves
the least that is nothing the task has. Where no change does, it is the one line that does not go on
from what is right to what is right.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from ..model import VALUE, Leaf
from .tensor_bench import TensorBench
from .tensor_hits import ROUNDS, Costs, Mended, TensorSearch, WantedOutputs
from .tensor_standing import APPENDED, Standings

LIKELY = 1.5
"""The cost of a change up to which what is right itself is not changed besides."""
MARGIN = 0.75
"""By how much less likely a change of any other line must be, or both lines are told."""


def mend(bench: TensorBench, wanted: WantedOutputs, leaves: Sequence[Leaf]) -> list[Mended]:
    """The likeliest of the changes that make all outputs right at the points of the bench, and
    those of other lines that are nearly as likely; none where there is no such change."""
    standing = Standings(bench, wanted)
    if (stray := standing.stray_line()) is not None:
        return [stray]
    serving = standing.serving
    right = {p for p in bench.results[0] if standing.is_right(p)}
    bench.add_reads(serving)
    search = TensorSearch(bench, wanted, leaves)
    ranked: list[Mended] = []
    upstream: set[int] | None = None
    """Of the likeliest change so far what may be wrong itself."""
    for costs in ROUNDS:
        # first what is not right itself; a gradient may be right though the value goes wrong before
        asks = functools.partial(_is_asked, right=right, upstream=upstream)
        hits = search.hits(serving, costs, asks)
        least = min((hit.edit.cost for hit in hits), default=costs.within)
        if least > LIKELY and upstream is None:
            likelier = costs._replace(within=least)
            hits += search.hits(serving, likelier, lambda positions: positions <= right)
        if ranked := ranked + standing.ranked(hits):
            likeliest = min(ranked, key=lambda hit: (hit.rank, hit.position)).position
            upstream = bench.flow.upstream({likeliest}) & standing.suspects - {likeliest}
            if not upstream:
                break
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


def _is_asked(positions: set[int], right: set[int], upstream: set[int] | None) -> bool:
    return not positions <= right and (not upstream or positions <= upstream)
