#= def
def gradients(x, y, w, v):
#= start
#: imports, def
#= forward
    hidden = torch.tanh(x @ w)
    logits = hidden @ v
#= loss
    loss = F.cross_entropy(logits, y)
#= all
#: start, forward, loss
#= retain
    hidden.retain_grad()
    logits.retain_grad()
    loss.backward()
#= dict
    return {"hidden": hidden.grad, "logits": logits.grad}
