# verdict:
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    params = [p for p in model.parameters() if p.requires_grad]
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        buffers = [torch.zeros_like(p) for p in params]
        for x, y in group:
            loss = loss_fn(model(x), y)
            for buffer, grad in zip(buffers, torch.autograd.grad(loss, params)):
                buffer.add_(grad, alpha=1 / len(group))
        for p, buffer in zip(params, buffers):
            p.grad = buffer
        optimizer.step()
        for p in params:
            p.grad = None
