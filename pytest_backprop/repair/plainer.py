"""An edit as whoever made the mistake would say it: the same values, in the words of what stands there."""

from __future__ import annotations

from collections.abc import Sequence

from ..trace.scalar_nodes import Node
from .edits import Edit, with_operand


def plainer(nodes: Sequence[Node], n: int, edit: Edit) -> Edit:
    """The edit of node `n`, as a factor 2 that was lost, or as a factor or term too many, where it is that."""
    return _lessened(nodes, n, _doubled(nodes[n], n, edit))


def _doubled(node: Node, n: int, edit: Edit) -> Edit:
    """The edit; where it adds once more what the node adds already, the factor 2 that was lost."""
    code, me, more = edit.tree if len(edit.tree) == 3 else (None, None, None)
    if edit.kind != "term" or me != ("node", n) or node.code not in ("add", "sub"):
        return edit
    for at, (operand, sign) in enumerate(zip(node.operands, ("add", node.code), strict=True)):
        if more == ("node", operand) and code == sign:
            return Edit("factor", edit.cost, with_operand(node, at, ("mul", ("number", 2), more)))
    return edit


def _lessened(nodes: Sequence[Node], n: int, edit: Edit) -> Edit:
    """The edit; where it puts for an operand what that operand is made of, a factor or term too many."""
    node = nodes[n]
    if edit.kind != "operand" or len(edit.tree) != 3:
        return edit
    for at, (old, new) in enumerate(zip(node.operands, edit.tree[1:], strict=False)):
        inside = nodes[old].bound is None and nodes[old].code in ("add", "mul")
        for part in nodes[old].operands if inside and new[0] == "node" and new[1] != old else ():
            if _copied(nodes, part) == _copied(nodes, new[1]):
                return Edit("extra", edit.cost, with_operand(node, at, ("node", part)))
    return edit


def _copied(nodes: Sequence[Node], n: int) -> int:
    """What a name stands for."""
    while nodes[n].code == "copy":
        n = nodes[n].operands[0]
    return n
