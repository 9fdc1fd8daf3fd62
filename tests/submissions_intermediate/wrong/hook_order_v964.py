# verdict:
# gradient = "partial 23.3333: wrong-shape @A scores, wrong-shape @A mixed"
# why = "hooks run from the loss backwards"
#: all
    found = []
    for tensor in (scores, weights, mixed):
        tensor.register_hook(found.append)
    loss.backward()
    return found  # @A
