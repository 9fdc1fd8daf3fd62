# verdict:
from contextlib import contextmanager


@contextmanager
def update_of(optimizer):
    optimizer.zero_grad()
    yield
    optimizer.step()


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        with update_of(optimizer):
            for x, y in group:
                loss_fn(model(x), y).div(len(group)).backward()
