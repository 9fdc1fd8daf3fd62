# verdict:
# failed = "parameters too-many-steps @A"
# why = "the task drops it, and counts rows"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        rows = sum(len(x) for x, _ in group)
        optimizer.zero_grad()
        for x, y in group:
            (loss_fn(model(x), y) * len(x) / rows).backward()
        optimizer.step()  # @A
