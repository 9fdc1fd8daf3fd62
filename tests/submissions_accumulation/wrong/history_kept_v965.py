# verdict:
# failed = "release history-kept @A"
# why = "total_loss += loss"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    total_loss = 0
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y) / accumulation_steps  # @A
        loss.backward()
        total_loss += loss
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total_loss
