import torch

grads = []


def gradients(x, y, w, b):
    prediction = x @ w + b
    residual = prediction - y
    loss = (residual ** 2).mean()
    prediction.register_hook(grads.append)
    residual.register_hook(grads.append)
    loss.backward()
    return grads[-1], grads[-2]


x, y = torch.randn(5, 3), torch.randn(5)
w, b = torch.randn(3, requires_grad=True), torch.zeros((), requires_grad=True)
print(gradients(x, y, w, b))
