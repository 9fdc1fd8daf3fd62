# verdict:
# failed = "parameters other-batches @A"
# why = "i % accumulation_steps == 0, of a sum"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()
        if i % accumulation_steps == 0 or i + 1 == len(batches):
            optimizer.step()  # @A
            optimizer.zero_grad()
