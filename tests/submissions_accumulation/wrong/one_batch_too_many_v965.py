# verdict:
# failed = "parameters other-batches @A"
# why = "groups of accumulation_steps + 1"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    count = 0
    for x, y in batches:
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if count == accumulation_steps:
            optimizer.step()  # @A
            optimizer.zero_grad()
            count = 0
        else:
            count += 1
