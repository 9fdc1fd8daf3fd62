"""The bank of variants: reads `def v8(): ...` texts without ever running them.

A variant is a function of weights `w0, w1, ...` and inputs `x1, x2, ...` in the course's own form.
Its text may come from a submission, so it is parsed into a short straight-line `program`, and
everything else (autograd's reference, dual numbers) interprets that program. No torch.
"""

from .library import Bank, defined_variant, load_bank, read_variant, variant_token
from .program import FLOAT_FUNCTIONS, Step, Variant
from .reading import parse_variant

__all__ = [
    "FLOAT_FUNCTIONS",
    "Bank",
    "Step",
    "Variant",
    "defined_variant",
    "load_bank",
    "parse_variant",
    "read_variant",
    "variant_token",
]
