# verdict:
# why = "a hook on each puts its gradient into a dict"
#: all
    found = {}
    scores.register_hook(lambda grad: found.update(scores=grad))
    weights.register_hook(lambda grad: found.update(weights=grad))
    mixed.register_hook(lambda grad: found.update(mixed=grad))
    loss.backward()
    return found
