import torch


def gradients(a, x):
    y1 = x + a
    y2 = 2 * x
    loss = (y1 - y2) ** 2
    loss.retain_grad()
    loss.backward()
    print("loss.grad:", loss.grad)
    return {"y1": y1.grad, "y2": y2.grad}
