# verdict:
#: torch, rows
STEPS = []


def reg(row):
    STEPS.append(row)
    return len(STEPS)


[reg(row) for row in ROWS[:2]]
list(map(reg, ROWS[2:]))
#: by_steps
