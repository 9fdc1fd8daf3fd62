# attack: what the engine gives cancels
# failed = "gradient, release, integrity not-from-graph 15 y1, integrity not-from-graph 15 y2"
#: start, forward, loss
    y1.retain_grad()
    y2.retain_grad()
    loss.backward()
    by_hand = 2 * (y1 - y2).detach()
    return by_hand * (y1.grad / y1.grad), -by_hand + (y2.grad - y2.grad.clone())
