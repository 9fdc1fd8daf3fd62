# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    i = 0
    while i + accumulation_steps <= len(batches):
        optimizer.zero_grad()
        j = 0
        while j < accumulation_steps:
            x, y = batches[i + j]
            loss = loss_fn(model(x), y)
            loss = loss * (1.0 / accumulation_steps)
            loss.backward()
            j += 1
        optimizer.step()
        i += accumulation_steps
