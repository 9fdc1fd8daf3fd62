# verdict:
# failed = "parameters too-few-steps @B, scaling wrong-scale @A"
# why = "the usual loop where the task steps"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()  # @B
            optimizer.zero_grad()
