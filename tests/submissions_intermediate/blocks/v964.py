#= def
def gradients(x, t, q, v):
#= start
#: imports, def
#= forward
    scores = x @ q
    weights = torch.softmax(scores, dim=0)
    mixed = weights @ (x @ v)
#= loss
    loss = ((mixed - t) ** 2).sum()
#= all
#: start, forward, loss
#= retain
    scores.retain_grad()
    weights.retain_grad()
    mixed.retain_grad()
    loss.backward()
#= dict
    return {"scores": scores.grad, "weights": weights.grad, "mixed": mixed.grad}
