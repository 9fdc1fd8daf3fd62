# verdict:
def train(optimizer, model, batches, loss_fn, *, accumulation_steps=1, verbose=False):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            loss = loss_fn(model(x), y) / len(group)
            if verbose:
                print(loss)
            loss.backward()
        optimizer.step()
