# verdict:
# why = "a hook on each puts its gradient into a dict"
#: all
    found = {}
    hidden.register_hook(lambda grad: found.update(hidden=grad))
    logits.register_hook(lambda grad: found.update(logits=grad))
    loss.backward()
    return found
