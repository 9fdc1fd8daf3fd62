# verdict:
# failed = "parameters not-cleared @A, zeroing not-cleared @A"
# why = "the parentheses are missing"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()  # @A
            optimizer.zero_grad
