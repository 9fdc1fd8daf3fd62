# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        for x, y in group:
            (loss_fn(model(x), y) / len(group)).backward()
        optimizer.step()
        for p in model.parameters():
            p.grad.zero_()
