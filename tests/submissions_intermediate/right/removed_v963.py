# verdict:
# why = "hooks are taken off again"
#: all
    found = {}

    def keep(name):
        return lambda grad: found.__setitem__(name, grad)

    handles = [prediction.register_hook(keep("prediction")), residual.register_hook(keep("residual"))]
    loss.backward()
    for handle in handles:
        handle.remove()
    return found
