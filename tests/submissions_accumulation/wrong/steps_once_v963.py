# verdict:
# failed = "parameters other-batches @A"
# why = "one step at the end"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for x, y in batches:
        loss_fn(model(x), y).backward()
    optimizer.step()  # @A
