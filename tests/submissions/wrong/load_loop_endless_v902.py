# verdict:
# why = "runs at load, for the class needs STEPS"
# status = "timeout"
# seconds = 3
#: torch, rows
STEPS = []
while len(STEPS) < 4:
    STEPS[:] = ROWS
#: by_steps
