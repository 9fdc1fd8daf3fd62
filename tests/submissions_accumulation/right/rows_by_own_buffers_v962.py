# verdict:
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    params = list(model.parameters())
    for n in range(len(batches) // accumulation_steps):
        group = batches[n * accumulation_steps:(n + 1) * accumulation_steps]
        rows = [y.numel() for _, y in group]
        mean = None
        for (x, y), count in zip(group, rows):
            grads = torch.autograd.grad(loss_fn(model(x), y), params)
            share = count / sum(rows)
            if mean is None:
                mean = [share * g for g in grads]
            else:
                mean = [m + share * g for m, g in zip(mean, grads)]
        for p, m in zip(params, mean):
            p.grad = m
        optimizer.step()
