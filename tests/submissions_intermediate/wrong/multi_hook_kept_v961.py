# verdict:
# release = "partial 15: kept @B w"
# why = "torch holds what a hook of many is registered on, until it is taken off"
#: imports
def gradients(x, y, w, v):  # @B
#: forward, loss
    found = {}

    def keep(both):
        found["hidden"], found["logits"] = both

    torch.autograd.graph.register_multi_grad_hook([hidden, logits], keep)
    loss.backward()
    return found
