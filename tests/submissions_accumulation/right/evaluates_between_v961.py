# verdict:
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            (loss_fn(model(x), y) / len(group)).backward()
        optimizer.step()
        with torch.no_grad():
            everything = torch.cat([x for x, _ in batches])
            print(loss_fn(model(everything), torch.cat([y for _, y in batches])))
