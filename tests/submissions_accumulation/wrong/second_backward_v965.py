# verdict:
# failed = "release, parameters raises @A, zeroing, scaling"
# why = "backward twice through one graph"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y) / accumulation_steps
        loss.backward()
        loss.backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
