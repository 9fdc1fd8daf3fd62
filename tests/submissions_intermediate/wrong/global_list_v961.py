# verdict:
# release = "partial 15: kept @A hidden"
# why = "intermediates in a global list"
#: imports
seen = []


def gradients(x, y, w, v):
    hidden = torch.tanh(x @ w)  # @A
    logits = hidden @ v
    seen.append(hidden.detach())
#: loss, retain, dict
