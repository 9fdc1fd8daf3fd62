# verdict:
# failed = "release, parameters, zeroing, scaling, integrity joined-batches @A"
# why = "the batches of a group are joined"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        x = torch.cat([x for x, _ in group])
        y = torch.cat([y for _, y in group])
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()  # @A
        optimizer.step()
