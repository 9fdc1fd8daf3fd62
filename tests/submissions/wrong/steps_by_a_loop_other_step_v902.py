# verdict:
# why = "what the loop appends is what is run, and it is wrong"
# failed = "manual-forward wrong-value 23"
#: torch
ROWS = [("a", "w0", "x1"), ("b", "w1", "x2"), ("p", "a", "a")]
STEPS = []
for i in range(3):
    STEPS.append(ROWS[i])
#: by_steps
