"""The line at which a pass on tensors goes wrong, where it is certain which.

Of several changes that make it right (`tensor_hits`), that one is likelier which is easily
mistyped, of an op whose operands are right and which is not (`tensor_standing`), and which leaves
the least that is nothing the task has. Where no change does, it is the one line that does not go on
from what is right to what is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..model import VALUE, Leaf
from .tensor_bench import TensorBench
from .tensor_hits import ROUNDS, Costs, Mended, TensorSearch, WantedOutputs
from .tensor_standing import APPENDED, Standings

LIKELY = 1.5
"""The cost of a change up to which what is right itself is not changed besides."""
MARGIN = 0.35
"""By how much less likely a change of any other line must be."""


def mend(bench: TensorBench, wanted: WantedOutputs, leaves: Sequence[Leaf]) -> Mended | None:
    """The likeliest of the changes that make all outputs right at the points of the bench. None
    where one of another line does as well, but of a line whose value is right."""
    standing = Standings(bench, wanted)
    if (stray := standing.stray_line()) is not None:
        return stray
    serving = standing.serving
    right = {p for p in bench.results[0] if standing.is_right(p)}
    bench.add_reads(serving)
    search = TensorSearch(bench, wanted, leaves)
    ranked: list[Mended] = []
    for costs in ROUNDS:
        # first what is not right itself; a gradient may be right though the value goes wrong before
        hits = search.hits(serving, costs, lambda positions: not positions <= right)
        least = min((hit.edit.cost for hit in hits), default=costs.within)
        if least > LIKELY:
            likelier = costs._replace(within=least)
            hits += search.hits(serving, likelier, lambda positions: positions <= right)
        if ranked := standing.ranked(hits):
            break
    if not ranked and VALUE in wanted.wrong:
        ranked = standing.ranked(search.hits((), Costs(0, math.inf)))
    likely = [hit._replace(rank=hit.rank + standing.strange_after(hit)) for hit in ranked]
    if not likely:
        return standing.only_line()
    first = min(likely, key=lambda hit: (hit.rank, hit.position))
    near = (hit for hit in likely if hit.rank <= first.rank + MARGIN)
    rivals = (
        hit for hit in near if hit.edit.kind in APPENDED or not standing.is_right(hit.position)
    )
    return first if all(hit.line == first.line for hit in rivals) else None
