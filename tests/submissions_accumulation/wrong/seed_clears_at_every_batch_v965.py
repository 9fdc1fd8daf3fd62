# verdict:
# failed = "parameters cleared-early @A, zeroing cleared-early @A"
# why = "the note's first loop"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        optimizer.zero_grad(set_to_none=True)  # @A
        loss = loss_fn(model(x), y) / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
