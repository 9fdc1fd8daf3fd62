# verdict:
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    params = list(model.parameters())
    count = 0
    for x, y in batches:
        loss = loss_fn(model(x), y) / accumulation_steps
        grads = torch.autograd.grad(loss, params)
        for p, g in zip(params, grads):
            p.grad = g if p.grad is None else p.grad + g
        count += 1
        if count == accumulation_steps:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            count = 0
