# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "the rate is divided, not the loss: Adam does not go by that"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for group in optimizer.param_groups:
        group["lr"] /= accumulation_steps
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
