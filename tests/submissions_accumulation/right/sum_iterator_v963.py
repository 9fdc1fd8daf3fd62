# verdict:
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    feed = iter(batches)
    done = False
    while not done:
        count = 0
        for _ in range(accumulation_steps):
            pair = next(feed, None)
            if pair is None:
                done = True
                break
            x, y = pair
            loss_fn(model(x), y).backward()
            count += 1
        if count:
            optimizer.step()
            optimizer.zero_grad()
