# verdict:
# why = "runs at load, for the class needs STEPS"
# status = "unreadable: load-error @L"
#: torch, rows
STEPS = []
for i in range(4):
    STEPS.append(ROWS[i])  # @L
#: by_steps
