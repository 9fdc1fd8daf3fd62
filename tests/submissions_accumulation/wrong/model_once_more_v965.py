# verdict:
# failed = "release graph-kept @A"
# why = "a forward without need keeps its graph"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        before = model(x)
        loss = loss_fn(model(x), y) / accumulation_steps  # @A
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
