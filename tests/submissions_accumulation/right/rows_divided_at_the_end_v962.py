# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    rows = 0
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) * x.shape[0]).backward()
        rows += x.shape[0]
        if (i + 1) % accumulation_steps == 0:
            for p in model.parameters():
                p.grad /= rows
            optimizer.step()
            optimizer.zero_grad()
            rows = 0
