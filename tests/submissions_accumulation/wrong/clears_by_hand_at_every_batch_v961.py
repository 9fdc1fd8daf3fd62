# verdict:
# failed = "parameters cleared-early @A, zeroing cleared-early @A"
# why = "p.grad = None before each backward"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        for x, y in group:
            for p in model.parameters():
                p.grad = None
            (loss_fn(model(x), y) / len(group)).backward()  # @A
        optimizer.step()
