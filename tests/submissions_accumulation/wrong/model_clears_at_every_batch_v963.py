# verdict:
# failed = "parameters cleared-early @A, zeroing cleared-early @A"
# why = "model.zero_grad"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        for x, y in group:
            model.zero_grad()  # @A
            loss_fn(model(x), y).backward()
        optimizer.step()
