# verdict:
# failed = "parameters other-input @A"
# why = "x is changed in place"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            x -= x.mean()
            (loss_fn(model(x), y) / len(group)).backward()  # @A
        optimizer.step()
