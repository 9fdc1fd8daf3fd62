# verdict:
# failed = "release graph-kept @A"
# why = "retain_graph=True"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y) / accumulation_steps
        loss.backward(retain_graph=True)  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
