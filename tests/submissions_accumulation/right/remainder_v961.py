# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    rest = len(batches) % accumulation_steps
    for i, (x, y) in enumerate(batches):
        last = i >= len(batches) - rest
        loss = loss_fn(model(x), y) / (rest if last else accumulation_steps)
        loss.backward()
        if (i + 1) % accumulation_steps == 0 or i == len(batches) - 1:
            optimizer.step()
            optimizer.zero_grad()
