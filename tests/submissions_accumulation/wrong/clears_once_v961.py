# verdict:
# failed = "parameters not-cleared @A, zeroing not-cleared @A"
# why = "zero_grad before the loop alone"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    optimizer.zero_grad()
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        for x, y in group:
            (loss_fn(model(x), y) / len(group)).backward()
        optimizer.step()  # @A
