# verdict:
def backward_of(model, loss_fn, x, y, share):
    loss = loss_fn(model(x), y) * share
    loss.backward()
    return loss.detach()


def update(optimizer):
    optimizer.step()
    optimizer.zero_grad()


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    history = []
    pending = list(batches)
    while pending:
        group, pending = pending[:accumulation_steps], pending[accumulation_steps:]
        history.append(sum(backward_of(model, loss_fn, x, y, 1 / len(group)) for x, y in group))
        update(optimizer)
    return history
