# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    count = 0
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()
        count += 1
        if count == accumulation_steps or i == len(batches) - 1:
            for group in optimizer.param_groups:
                for p in group["params"]:
                    p.grad.mul_(1 / count)
            optimizer.step()
            optimizer.zero_grad()
            count = 0
