# verdict:
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    params = list(model.parameters())
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        total = [torch.zeros_like(p) for p in params]
        for x, y in group:
            grads = torch.autograd.grad(loss_fn(model(x), y), params)
            torch._foreach_add_(total, grads)
        torch._foreach_div_(total, len(group))
        for p, g in zip(params, total):
            p.grad = g
        optimizer.step()
