# verdict:
# why = "a hook on each puts its gradient into a dict"
#: all
    found = {}
    prediction.register_hook(lambda grad: found.update(prediction=grad))
    residual.register_hook(lambda grad: found.update(residual=grad))
    loss.backward()
    return found
