# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        optimizer.zero_grad()
        for x, y in batches[start:start + accumulation_steps]:
            half = len(x) // 2
            for part in (slice(0, half), slice(half, None)):
                if len(x[part]):
                    loss_fn(model(x[part]), y[part]).backward()
        optimizer.step()
