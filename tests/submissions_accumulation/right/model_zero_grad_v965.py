# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    model.train()
    model.zero_grad()
    for i, (x, y) in enumerate(batches):
        pred = model(x)
        loss = loss_fn(pred, y) / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            model.zero_grad()
    model.eval()
