def train(model, loss_fn, optimizer, batches, accumulation_steps):
    total = 0
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        for x, y in group:
            loss = loss_fn(model(x), y) / len(group)
            loss.backward()
            total += loss
        optimizer.step()
        optimizer.zero_grad()
    return total
