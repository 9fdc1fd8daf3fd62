# verdict:
# why = "all gradients of a group are kept"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        found = []
        for x, y in group:
            loss = loss_fn(model(x), y)
            found.append(torch.autograd.grad(loss, list(model.parameters())))
        for p, grads in zip(model.parameters(), zip(*found)):
            p.grad = sum(grads) / len(group)
        optimizer.step()
