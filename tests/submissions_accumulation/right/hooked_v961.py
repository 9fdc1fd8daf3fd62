# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        handles = [p.register_hook(lambda g, n=len(group): g / n) for p in model.parameters()]
        for x, y in group:
            loss_fn(model(x), y).backward()
        for handle in handles:
            handle.remove()
        optimizer.step()
