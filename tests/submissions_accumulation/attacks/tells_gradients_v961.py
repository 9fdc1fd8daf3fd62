# attack: calls the node of a prediction with a gradient of its own
# failed = "release, parameters raises @A, zeroing, scaling"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        for x, y in group:
            out = model(x)
            call = out.grad_fn.call  # @A
            call.tell(call.number, torch.ones_like(out))
            (loss_fn(out, y) / len(group)).backward()
        optimizer.step()
