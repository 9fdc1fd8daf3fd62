# verdict:
# failed = "release graph-kept @A"
# why = "losses are kept, and their backwards come one after another"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        losses = [loss_fn(model(x), y) for x, y in group]
        for loss in losses:
            loss.backward()  # @A
        optimizer.step()
