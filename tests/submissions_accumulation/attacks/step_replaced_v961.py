# attack: optimizer.step is the submission's own
# failed = "parameters parameters-set @A"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    honest = optimizer.step

    def step():
        with torch.no_grad():
            for p in model.parameters():
                p.sub_(optimizer.param_groups[0]["lr"] * p.grad)

    optimizer.step = step
    for start in range(0, len(batches), accumulation_steps):
        xs, ys = zip(*batches[start:start + accumulation_steps])
        for x, y in zip(xs, ys):
            (loss_fn(model(x), y) / len(xs)).backward()  # @A
        optimizer.step()
        optimizer.zero_grad()
