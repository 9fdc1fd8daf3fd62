# verdict:
# failed = "release graph-kept @A"
# why = "one loss of the joined predictions"
import torch


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        optimizer.zero_grad()
        outputs = torch.cat([model(x) for x, _ in group])
        loss_fn(outputs, torch.cat([y for _, y in group])).backward()  # @A
        optimizer.step()
