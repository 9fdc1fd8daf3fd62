# verdict:
class Accumulator:
    def __init__(self, optimizer, size):
        self.optimizer, self.size, self.seen = optimizer, size, 0

    def backward(self, loss):
        (loss / self.size).backward()
        self.seen += 1
        if self.seen == self.size:
            self.flush()

    def flush(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.seen = 0


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    whole = len(batches) - len(batches) % accumulation_steps
    accumulator = Accumulator(optimizer, accumulation_steps)
    for x, y in batches[:whole]:
        accumulator.backward(loss_fn(model(x), y))
    rest = batches[whole:]
    accumulator = Accumulator(optimizer, len(rest))
    for x, y in rest:
        accumulator.backward(loss_fn(model(x), y))
