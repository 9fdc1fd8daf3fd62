# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "divided by the rows of all batches"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    rows = sum(len(x) for x, _ in batches)
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) * len(x) / rows).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
