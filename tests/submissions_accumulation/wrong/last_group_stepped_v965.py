# verdict:
# failed = "parameters too-many-steps @A"
# why = "the task drops it"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            (loss_fn(model(x), y) / len(group)).backward()
        optimizer.step()  # @A
