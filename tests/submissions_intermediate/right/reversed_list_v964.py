# verdict:
# why = "hooks run from the loss backwards"
#: all
    found = []
    for tensor in (scores, weights, mixed):
        tensor.register_hook(found.append)
    loss.backward()
    return tuple(reversed(found))
