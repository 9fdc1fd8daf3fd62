# verdict:
from itertools import groupby


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    sizes = {}
    for i in range(len(batches)):
        sizes[i // accumulation_steps] = sizes.get(i // accumulation_steps, 0) + 1
    for number, group in groupby(enumerate(batches), key=lambda pair: pair[0] // accumulation_steps):
        for _, (x, y) in group:
            loss = loss_fn(model(x), y)
            (loss / sizes[number]).backward()
        optimizer.step()
        optimizer.zero_grad()
