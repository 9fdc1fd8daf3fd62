# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "gradients are clipped"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            (loss_fn(model(x), y) / len(group)).backward()  # @A
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
