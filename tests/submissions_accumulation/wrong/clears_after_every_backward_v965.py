# verdict:
# failed = "parameters cleared-early @A, zeroing cleared-early @A"
# why = "nothing is left to step with"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
        optimizer.zero_grad()  # @A
