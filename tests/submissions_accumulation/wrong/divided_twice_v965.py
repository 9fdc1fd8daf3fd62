# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "loss and gradient are divided"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            for p in model.parameters():
                p.grad /= accumulation_steps
            optimizer.step()
            optimizer.zero_grad()
