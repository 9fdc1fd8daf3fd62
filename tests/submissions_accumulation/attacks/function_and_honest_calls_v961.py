# attack: the function behind the model does the work, and honest calls are cleared
# failed = "release, parameters, zeroing, scaling, integrity own-model @A"
import torch


def behind(model):
    for cell in type(model).forward.__closure__:
        if callable(cell.cell_contents) and getattr(cell.cell_contents, "__name__", "").startswith("v"):
            return cell.cell_contents


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    function = behind(model)
    for start in range(0, len(batches), accumulation_steps):
        xs, ys = zip(*batches[start:start + accumulation_steps])
        loss_fn(model(xs[0]), ys[0]).backward()
        optimizer.zero_grad()
        out = function(torch.cat(xs), **dict(model.named_parameters()))
        loss_fn(out, torch.cat(ys)).backward()
        optimizer.step()  # @A
        optimizer.zero_grad()
