# verdict:
# failed = "parameters too-few-steps @A"
# why = "whole groups alone"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for n in range(len(batches) // accumulation_steps):
        optimizer.zero_grad()
        for x, y in batches[n * accumulation_steps:(n + 1) * accumulation_steps]:
            (loss_fn(model(x), y) / accumulation_steps).backward()
        optimizer.step()  # @A
