# verdict:
# failed = "parameters other-batches @A"
# why = "two steps a group"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.step()  # @A
            optimizer.zero_grad()
