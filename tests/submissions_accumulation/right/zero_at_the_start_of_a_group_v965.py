# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        if i % accumulation_steps == 0:
            optimizer.zero_grad(set_to_none=False)
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if i % accumulation_steps == accumulation_steps - 1:
            optimizer.step()
