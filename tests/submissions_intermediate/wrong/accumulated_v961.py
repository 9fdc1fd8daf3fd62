# verdict:
# failed = "gradient hidden-work @A hidden, gradient hidden-work @A logits, release"
# why = "gradients of all calls are added up"
#: imports
grads = {}


def gradients(x, y, w, v):
#: forward, loss

    def keep(name):
        def hook(grad):
            grads[name] = grads[name] + grad if name in grads else grad

        return hook

    hidden.register_hook(keep("hidden"))
    logits.register_hook(keep("logits"))
    loss.backward()
    return grads  # @A
