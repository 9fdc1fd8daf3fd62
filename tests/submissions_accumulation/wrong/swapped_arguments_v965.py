# verdict:
# failed = "release, parameters raises @A, zeroing, scaling"
# why = "model and batches swapped"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(y, model(y))
        loss.backwards()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
