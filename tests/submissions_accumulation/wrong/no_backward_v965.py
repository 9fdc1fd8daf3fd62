# verdict:
# failed = "release, parameters no-backward @T, zeroing, scaling"
# why = "no backward"
def train(model, loss_fn, optimizer, batches, accumulation_steps):  # @T
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y) / accumulation_steps
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
