# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "times the rows, and not divided"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) * len(x)).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
