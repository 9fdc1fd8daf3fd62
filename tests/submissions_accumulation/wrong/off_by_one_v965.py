# verdict:
# failed = "parameters other-batches @A"
# why = "i % accumulation_steps == 0"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if i % accumulation_steps == 0:
            optimizer.step()  # @A
            optimizer.zero_grad()
