# verdict:
# failed = "parameters other-batches @A"
# why = "the others are left out"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        x, y = batches[start]
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()  # @A
