# verdict:
# failed = "release history-kept @A"
# why = "losses.append(loss)"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    losses = []
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            loss = loss_fn(model(x), y)  # @A
            (loss / len(group)).backward()
            losses.append(loss)
        optimizer.step()
    return losses
