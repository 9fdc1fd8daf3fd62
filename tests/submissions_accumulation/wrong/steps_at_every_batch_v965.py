# verdict:
# failed = "parameters other-batches @A"
# why = "no if"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        optimizer.step()  # @A
        optimizer.zero_grad()
