# verdict:
# gradient = "partial 23.3333: no-gradient @A scores, no-gradient @A weights"
# why = "retain_grad on one of three"
#: all
    mixed.retain_grad()
    loss.backward()
    return scores.grad, weights.grad, mixed.grad  # @A
