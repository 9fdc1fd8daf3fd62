# verdict:
# failed = "release graph-kept @B, parameters last-loss-only @A"
# why = "the note's second loop"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y) / accumulation_steps  # @B
        if (i + 1) % accumulation_steps == 0:
            loss.backward()  # @A
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
