# attack: parameters replaced after a joined training
# failed = "parameters parameters-set @A"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for name, p in list(model.named_parameters()):
        setattr(model, name, torch.nn.Parameter(p.detach().clone()))
    rule = type(optimizer)(model.parameters(), **optimizer.defaults)
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        rule.zero_grad()
        for x, y in group:
            (loss_fn(model(x), y) / len(group)).backward()  # @A
        rule.step()
