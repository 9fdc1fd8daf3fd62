# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for number in range(len(batches) // accumulation_steps):
        for p in model.parameters():
            p.grad = None
        for x, y in batches[number * accumulation_steps:(number + 1) * accumulation_steps]:
            loss = loss_fn(model(x), y)
            loss.backward(gradient=loss.new_tensor(1 / accumulation_steps))
        optimizer.step()
