# verdict:
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
# why = "the divided loss is not the one that goes backward"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x), y)
        shown = loss / accumulation_steps
        loss.backward()  # @A
        print(shown.item())
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
