# verdict:
# failed = "release graph-kept @A"
# why = "one backward for the summed losses"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        total = 0
        for x, y in group:
            total = total + loss_fn(model(x), y) / len(group)
        total.backward()  # @A
        optimizer.step()
