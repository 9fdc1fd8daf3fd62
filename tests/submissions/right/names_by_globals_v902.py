# verdict:
#: torch
import operator

for n in ("mul", "add"):
    globals()["d_" + n] = getattr(operator, n)
#: by_names
