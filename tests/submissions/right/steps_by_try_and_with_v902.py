# verdict:
#: torch, rows
import contextlib

STEPS = []
try:
    STEPS.extend(ROWS[:2])
except TypeError:
    STEPS = None
with contextlib.suppress(IndexError):
    STEPS.append(ROWS[2])
    STEPS.append(ROWS[3])
#: by_steps
