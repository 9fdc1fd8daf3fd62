# verdict:
# failed = "release graph-kept @A"
# why = "create_graph=True"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            loss = loss_fn(model(x), y)
            loss.backward(create_graph=True)  # @A
        optimizer.step()
