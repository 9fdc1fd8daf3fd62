# verdict:
# failed = "parameters parameters-set @B"
# why = "p -= lr * p.grad by hand"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()  # @B
        if (i + 1) % accumulation_steps == 0:
            with torch.no_grad():
                for p in model.parameters():
                    p -= 0.3 * p.grad
            optimizer.zero_grad()
