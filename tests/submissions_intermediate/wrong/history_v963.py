# verdict:
# release = "partial 15: kept @B"
# why = "a list of the gradients of all calls"
#: imports
history = []


def gradients(x, y, w, b):  # @B
#: forward, loss, retain
    history.append((prediction.grad, residual.grad))
    return history[-1]
