"""Submissions that run in no time, and whose recordings would hold up or swell the grader."""

from __future__ import annotations

from plugin_samples import RIGHT

VALUE = "y = a * b + x3"


def instead(text: str) -> str:
    """The right pass with another line (or lines) that makes y."""
    assert RIGHT.count(VALUE) == 1
    return RIGHT.replace(VALUE, text)


ORDER = instead(
    # the child's points are all below 2
    "order = (torch.abs(x1) > 2.5) * 1e17\n"
    f"        {VALUE} + 0 * torch.special.legendre_polynomial_p(x2 * 0 + 0.3, order)"
)
"""A polynomial whose order is 0 where the child runs: a loop in C++ elsewhere."""
GAMMA = instead(f"{VALUE} + 0 * torch.mvlgamma(x2 * 0 + 3e5, 200_000)")
OPS = instead(
    "one = x1.reshape(1)\n"
    "        t = (x1 + torch.dot(one, one)).expand(4096)\n"
    "        for _ in range(2_500):\n"
    "            t = t.sin() * 0.999\n"
    f"        {VALUE} + 0 * t.sum()"
)
"""Results of 4096 elements, of 5,000 ops: at as few points as they leave room for they take three
times what the judge has, and the child less than half of what it has."""
CANCELLING = instead(
    f"{VALUE}\n"
    "        for i in range(600):\n"
    "            k = (a + i) * (b + i)\n"
    "            y = y + k * k - k * k"
)
FORGED = instead(
    "t = torch.arange(3)\n"
    f"        {VALUE} + 0 * t.sum()\n"
    "        import gc\n"
    "        for held in gc.get_objects():\n"
    "            if type(held) is list and any(type(op).__name__ == 'Op' for op in held):\n"
    "                for at, op in enumerate(held):\n"
    "                    if 'arange' in op.target:\n"
    "                        fields = {name: getattr(op, name) for name in op.__struct_fields__}\n"
    "                        held[at] = type(op)(**(fields | {'args': (300_000_000,)}))"
)
"""Writes into its recording that `arange(3)` was `arange(300_000_000)`: 2.4 GB."""
