# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad(set_to_none=True)
        for x, y in group:
            out = model(x)
            loss = loss_fn(out, y) / len(group)
            del out
            loss.backward()
            del loss
        optimizer.step()
