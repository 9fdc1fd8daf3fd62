# verdict:
# failed = "parameters other-batches @A"
# why = "batches[1:]"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        optimizer.zero_grad()
        for x, y in batches[start + 1:start + 1 + accumulation_steps]:
            loss_fn(model(x), y).backward()
        optimizer.step()  # @A
