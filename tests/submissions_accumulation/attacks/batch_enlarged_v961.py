# attack: the first batch is made the whole group in place
# failed = "release, parameters, zeroing, scaling, integrity joined-batches @A"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        xs, ys = zip(*batches[start:start + accumulation_steps])
        optimizer.zero_grad()
        x, y = torch.cat(xs), torch.cat(ys)
        xs[0].data, ys[0].data = x, y
        loss_fn(model(xs[0]), ys[0]).backward()  # @A
        optimizer.step()
