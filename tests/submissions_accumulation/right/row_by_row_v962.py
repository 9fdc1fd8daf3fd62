# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for n in range(len(batches) // accumulation_steps):
        group = batches[n * accumulation_steps:(n + 1) * accumulation_steps]
        rows = sum(y.size(0) for _, y in group)
        optimizer.zero_grad()
        for x, y in group:
            for at in range(len(x)):
                loss = loss_fn(model(x[at:at + 1]), y[at:at + 1])
                (loss / rows).backward()
        optimizer.step()
