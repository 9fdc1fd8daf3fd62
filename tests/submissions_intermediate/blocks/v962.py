#= def
def gradients(a, x):
#= start
#: imports, def
#= forward
    y1 = x + a
    y2 = 2 * x
#= loss
    loss = (y1 - y2) ** 2
#= all
#: start, forward, loss
#= retain
    y1.retain_grad()
    y2.retain_grad()
    loss.backward()
#= dict
    return {"y1": y1.grad, "y2": y2.grad}
