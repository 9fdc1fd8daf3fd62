import torch

m, nh = 784, 50
w1 = torch.randn(m, nh) / m ** 0.5
b1 = torch.zeros(nh)
w2 = torch.randn(nh, 1) / nh ** 0.5
b2 = torch.zeros(1)
history = []


def relu(z):
    return z.clamp_min(0)


def grad_of(t, g):
    """Adds to the gradient where there is one."""
    t.g = t.g + g if getattr(t, "g", None) is not None else g


def zero_grad():
    for p in (w1, b1, w2, b2):
        p.g = None


def forward_and_backward(inp, targ):
    zero_grad()
    z1 = inp @ w1 + b1
    a1 = relu(z1)
    out = a1 @ w2 + b2
    diff = out.squeeze(-1) - targ
    loss = diff.pow(2).mean()
    history.append(loss.item())
    dout = (2 / len(targ)) * diff.unsqueeze(-1)
    grad_of(w2, a1.t() @ dout)
    grad_of(b2, dout.sum(0))
    dz1 = (dout @ w2.t()) * (a1 > 0)
    grad_of(w1, inp.t() @ dz1)
    grad_of(b1, dz1.sum(0))
    return loss


params = [w1, b1, w2, b2]
velocities = [torch.zeros_like(p) for p in params]
lr, momentum = 0.1, 0.9
x_train, y_train = torch.randn(100, m), torch.randn(100)
for epoch in range(3):
    forward_and_backward(x_train, y_train)
    for p, v in zip(params, velocities):
        v.mul_(momentum).add_(p.g)
        p.sub_(lr * v)
    lr *= 0.5
