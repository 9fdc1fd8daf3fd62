"""The bank of variants: reads `def v8(): ...` texts without ever running them.

A variant is a function of weights `w0, w1, ...` and inputs `x1, x2, ...` in the course's own form.
Its text is parsed into a short straight-line `program`, and
everything else (autograd's reference, dual numbers) interprets that program. No torch."""

from .library import (
    Bank as Bank,
    defined_variant as defined_variant,
    load_bank as load_bank,
    read_variant as read_variant,
    variant_token as variant_token,
)
from .program import FLOAT_FUNCTIONS as FLOAT_FUNCTIONS, Step as Step, Variant as Variant
from .reading import parse_variant as parse_variant
