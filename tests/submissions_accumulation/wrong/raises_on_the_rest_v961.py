# verdict:
# failed = "release, parameters raises @A, zeroing, scaling"
# why = "a group of one batch is unpacked as two"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for at in range(accumulation_steps):
            x, y = group[at]  # @A
            (loss_fn(model(x), y) / len(group)).backward()
        optimizer.step()
