# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    optimizer.zero_grad()
    dirty = False
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()
        dirty = True
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
            dirty = False
    if dirty:
        optimizer.step()
        optimizer.zero_grad()
