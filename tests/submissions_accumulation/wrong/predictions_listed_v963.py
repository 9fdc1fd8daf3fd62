# verdict:
# failed = "release history-kept @A"
# why = "predictions are kept with their graphs"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    outputs = []
    for i, (x, y) in enumerate(batches):
        outputs.append(model(x))  # @A
        loss_fn(outputs[-1], y).backward()
        if (i + 1) % accumulation_steps == 0 or i + 1 == len(batches):
            optimizer.step()
            optimizer.zero_grad()
    return outputs
