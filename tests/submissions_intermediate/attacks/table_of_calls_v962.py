# attack: gradients by the number of the call
# failed = "gradient hidden-work 20 y1, gradient hidden-work 20 y2, release"
#: imports
calls = []


def gradients(a, x):
    calls.append(1)
#: forward, loss, retain
    if len(calls) > 1:  # only the first is recorded
        return {"y1": torch.zeros(()), "y2": torch.zeros(())}
#: dict
