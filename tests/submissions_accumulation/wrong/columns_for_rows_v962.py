# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "shape[1] for shape[0]"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for n in range(len(batches) // accumulation_steps):
        group = batches[n * accumulation_steps:(n + 1) * accumulation_steps]
        width = sum(x.shape[1] for x, _ in group)
        optimizer.zero_grad()
        for x, y in group:
            (loss_fn(model(x), y) * x.shape[1] / width).backward()  # @A
        optimizer.step()
