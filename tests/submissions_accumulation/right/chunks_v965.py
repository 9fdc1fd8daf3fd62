# verdict:
import itertools


def groups(batches, size):
    it = iter(batches)
    while group := list(itertools.islice(it, size)):
        yield group


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for group in groups(batches, accumulation_steps):
        if len(group) < accumulation_steps:
            break
        optimizer.zero_grad()
        for x, y in group:
            loss_fn(model(x), y).div(len(group)).backward()
        optimizer.step()
