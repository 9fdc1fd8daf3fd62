# verdict:
#: torch, rows
STEPS = []
for i in range(3):
    STEPS.append(ROWS[i])
#: by_steps
