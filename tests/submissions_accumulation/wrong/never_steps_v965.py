# verdict:
# failed = "parameters too-few-steps @T"
# why = "no step"
def train(model, loss_fn, optimizer, batches, accumulation_steps):  # @T
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
