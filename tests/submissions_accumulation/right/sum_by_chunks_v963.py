# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        optimizer.zero_grad()
        for x, y in batches[start:start + accumulation_steps]:
            loss = loss_fn(model(x), y)
            loss.backward()
        optimizer.step()
