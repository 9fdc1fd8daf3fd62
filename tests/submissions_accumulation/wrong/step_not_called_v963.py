# verdict:
# failed = "parameters too-few-steps @T"
# why = "the parentheses are missing"
def train(model, loss_fn, optimizer, batches, accumulation_steps):  # @T
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step
            optimizer.zero_grad()
