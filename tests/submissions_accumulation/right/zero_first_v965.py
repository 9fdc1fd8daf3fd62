# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches, 1):
        loss = loss_fn(model(x), y)
        loss = loss / accumulation_steps
        loss.backward()
        if i % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
