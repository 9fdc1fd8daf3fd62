# verdict:
# failed = "parameters too-few-steps @A"
# why = "of a sum"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()  # @A
            optimizer.zero_grad()
