# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    right = seen = 0
    for n in range(len(batches) // accumulation_steps):
        group = batches[n * accumulation_steps:(n + 1) * accumulation_steps]
        rows = sum(len(y) for _, y in group)
        for x, y in group:
            logits = model(x)
            loss = loss_fn(logits, y) * len(y) / rows
            loss.backward()
            right += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        optimizer.step()
        optimizer.zero_grad()
    return right / max(seen, 1)
