# verdict:
# failed = "release, parameters, zeroing, scaling, integrity joined-batches @A"
# why = "all of a group at once"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        xs, ys = zip(*group)
        loss = loss_fn(model(torch.cat(xs)), torch.cat(ys))
        loss.backward()  # @A
        optimizer.step()
        optimizer.zero_grad()
