# verdict:
# failed = "release, parameters raises @A, zeroing, scaling"
# why = "the arguments of the loss are detached"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        loss = loss_fn(model(x).detach(), y) / accumulation_steps
        loss.backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
