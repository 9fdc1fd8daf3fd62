# verdict:
# failed = "release graph-kept @A"
# why = "torch.stack(losses).mean()"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    losses = []
    for x, y in batches:
        losses.append(loss_fn(model(x), y))
        if len(losses) == accumulation_steps:
            torch.stack(losses).mean().backward()  # @A
            optimizer.step()
            optimizer.zero_grad()
            losses = []
