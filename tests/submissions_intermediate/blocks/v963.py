#= def
def gradients(x, y, w, b):
#= start
#: imports, def
#= forward
    prediction = x @ w + b
    residual = prediction - y
#= loss
    loss = (residual ** 2).mean()
#= all
#: start, forward, loss
#= retain
    prediction.retain_grad()
    residual.retain_grad()
    loss.backward()
#= dict
    return {"prediction": prediction.grad, "residual": residual.grad}
