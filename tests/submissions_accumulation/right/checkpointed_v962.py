# verdict:
from torch.utils.checkpoint import checkpoint


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for n in range(len(batches) // accumulation_steps):
        group = batches[n * accumulation_steps:(n + 1) * accumulation_steps]
        rows = sum(len(y) for _, y in group)
        optimizer.zero_grad()
        for x, y in group:
            out = checkpoint(model, x, use_reentrant=False)
            loss = loss_fn(out, y) * (len(y) / rows)
            loss.backward()
        optimizer.step()
