# verdict:
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    history = []
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y)
        loss.backward()
        history.append(loss.detach())
        if (i + 1) % accumulation_steps == 0 or i + 1 == len(batches):
            optimizer.step()
            optimizer.zero_grad()
    return torch.stack(history)
