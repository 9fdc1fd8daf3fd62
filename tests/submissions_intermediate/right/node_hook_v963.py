# verdict:
# why = "a hook on the node tells what comes to it"
#: all
    found = {}
    prediction.grad_fn.register_hook(lambda ins, outs: found.update(prediction=outs[0]))
    residual.grad_fn.register_prehook(lambda outs: found.update(residual=outs[0]))
    loss.backward()
    return found
