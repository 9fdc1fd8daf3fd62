# verdict:
# failed = "parameters cleared-early @A, zeroing cleared-early @A"
# why = "zero_grad and step in the wrong order"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.zero_grad()  # @A
            optimizer.step()
