# verdict:
# failed = "release graph-kept @A"
# why = "a list of losses"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        losses = [loss_fn(model(x), y) for x, y in group]
        sum(losses).backward()  # @A
        optimizer.step()
