# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    losses = []
    running = 0.0
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y)
        (loss / accumulation_steps).backward()
        running += loss.item()
        print(f"batch {i}: {loss.item():.4f}")
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
            losses.append(running / accumulation_steps)
            running = 0.0
    return losses
