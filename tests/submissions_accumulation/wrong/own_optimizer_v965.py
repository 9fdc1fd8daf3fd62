# verdict:
# failed = "parameters parameters-set @A"
# why = "another optimizer"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
