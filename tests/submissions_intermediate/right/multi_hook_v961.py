# verdict:
# why = "one hook for both, taken off: torch holds what it is registered on"
#: all
    found = {}

    def keep(both):
        found["hidden"], found["logits"] = both

    handle = torch.autograd.graph.register_multi_grad_hook([hidden, logits], keep)
    loss.backward()
    handle.remove()
    return found
