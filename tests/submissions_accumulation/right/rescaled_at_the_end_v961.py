# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    n = 0
    for x, y in batches:
        (loss_fn(model(x), y) / accumulation_steps).backward()
        n += 1
        if n == accumulation_steps:
            optimizer.step()
            optimizer.zero_grad()
            n = 0
    if n:
        for p in model.parameters():
            p.grad.mul_(accumulation_steps / n)
        optimizer.step()
        optimizer.zero_grad()
