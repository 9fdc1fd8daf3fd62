# verdict:
# gradient = "partial 35: no-gradient @A residual"
# why = "a hook that is registered after backward"
#: all
    found = {}
    prediction.register_hook(lambda grad: found.update(prediction=grad))
    loss.backward()
    residual.register_hook(lambda grad: found.update(residual=grad))
    return found  # @A
