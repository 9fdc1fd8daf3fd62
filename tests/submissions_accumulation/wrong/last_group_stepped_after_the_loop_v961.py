# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "with the factor of a full one"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    if len(batches) % accumulation_steps:
        optimizer.step()
        optimizer.zero_grad()
