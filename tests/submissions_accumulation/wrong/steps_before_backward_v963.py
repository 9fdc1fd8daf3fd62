# verdict:
# failed = "release, parameters raises @A, zeroing, scaling"
# why = "the step comes first"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y)
        if (i + 1) % accumulation_steps == 0 or i + 1 == len(batches):
            optimizer.step()
            optimizer.zero_grad()
        loss.backward()  # @A
