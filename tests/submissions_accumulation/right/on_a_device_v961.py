# verdict:
import torch

device = torch.device("cpu")


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    model.to(device)
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            x, y = x.to(device), y.to(device)
            with torch.set_grad_enabled(True):
                outputs = model(x.clone())
                loss = loss_fn(outputs, y)
            loss /= len(group)
            loss.backward()
        optimizer.step()
