import torch

torch.manual_seed(42)
block, v, e, h, batch_size = 3, 27, 10, 64, 32
contexts = torch.randint(0, v, (batch_size, block))
following = torch.randint(0, v, (batch_size,))
table = torch.randn(v, e)
W1 = torch.randn(block * e, h) * 0.1
b1 = torch.randn(h) * 0.1
W2 = torch.randn(h, v) * 0.1
b2 = torch.randn(v) * 0.1
parameters = [table, W1, b1, W2, b2]
velocity = [torch.zeros_like(p) for p in parameters]
n = batch_size
lossi = []
max_steps = 3

for i in range(max_steps):
    rows = table[contexts]
    joined = rows.view(rows.shape[0], -1)
    centred = joined - joined.mean(0, keepdim=True)
    hidden = torch.tanh(centred @ W1 + b1)
    scores = hidden @ W2 + b2
    weights = scores.exp()
    totals = weights.sum(1, keepdim=True)
    shares = weights / totals
    logs = shares.log()
    loss = -logs[range(n), following].mean()

    dlogs = torch.zeros_like(logs)
    dlogs[range(n), following] = -1.0 / n
    dshares = dlogs / shares
    dtotals = -(dshares * shares / totals).sum(1, keepdim=True)
    dweights = dshares / totals + dtotals
    dscores = dweights * weights
    dW2 = hidden.T @ dscores
    db2 = dscores.sum(0)
    dhidden = dscores @ W2.T
    dpre = (1 - hidden ** 2) * dhidden
    dW1 = centred.T @ dpre
    db1 = dpre.sum(0)
    dcentred = dpre @ W1.T
    djoined = dcentred - dcentred.mean(0, keepdim=True)
    drows = djoined.view(rows.shape)
    dtable = torch.zeros_like(table).index_add_(0, contexts.flatten(), drows.flatten(0, 1))

    lr = 0.1 if i < 2 else 0.01  # step learning rate decay
    for p, g, u in zip(parameters, [dtable, dW1, db1, dW2, db2], velocity):
        u.mul_(0.9).add_(g)
        p.data += -lr * u
    lossi.append(loss.log10().item())
