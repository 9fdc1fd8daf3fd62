def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y) / accumulation_steps
        if (i + 1) % accumulation_steps == 0:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
