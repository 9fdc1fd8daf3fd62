# verdict:
# why = "a hook on each puts its gradient into a dict"
#: all
    found = {}
    y1.register_hook(lambda grad: found.update(y1=grad))
    y2.register_hook(lambda grad: found.update(y2=grad))
    loss.backward()
    return found
