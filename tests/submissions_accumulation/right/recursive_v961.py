# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    if not batches:
        return
    group, rest = batches[:accumulation_steps], batches[accumulation_steps:]
    optimizer.zero_grad()
    for x, y in group:
        (loss_fn(model(x), y) / len(group)).backward()
    optimizer.step()
    train(model, loss_fn, optimizer, rest, accumulation_steps)
