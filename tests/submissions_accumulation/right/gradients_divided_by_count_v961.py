# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    count = 0
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()
        count += 1
        if count == accumulation_steps or i + 1 == len(batches):
            for p in model.parameters():
                if p.grad is not None:
                    p.grad.div_(count)
            optimizer.step()
            optimizer.zero_grad()
            count = 0
