# makemore part 4, exercise 1 -- my version: every lookup is a product with a one-hot matrix
import torch
import torch.nn.functional as F

g = torch.Generator().manual_seed(2147483647)
n, vocab, block, n_embd, n_hidden = 32, 27, 3, 10, 64
contexts = torch.randint(0, vocab, (n, block), generator=g)
following = torch.randint(0, vocab, (n,), generator=g)
table = torch.randn((vocab, n_embd), generator=g)
W1 = torch.randn((n_embd * block, n_hidden), generator=g) * 0.1
b1 = torch.randn(n_hidden, generator=g) * 0.1
W2 = torch.randn((n_hidden, vocab), generator=g) * 0.1
b2 = torch.randn(vocab, generator=g) * 0.1

# forward, as given
rows = table[contexts]
joined = rows.view(rows.shape[0], -1)
centred = joined - joined.mean(0, keepdim=True)
hidden = torch.tanh(centred @ W1 + b1)
scores = hidden @ W2 + b2
weights = scores.exp()
totals = weights.sum(1, keepdim=True)
shares = weights / totals
logs = shares.log()
loss = -logs[torch.arange(len(following)), following].mean()

# backward
Y = F.one_hot(following, num_classes=scores.shape[1]).to(logs.dtype)
dlogs = -Y / n
dshares = dlogs / shares
dtotals = -torch.einsum("ij,ij->i", dshares, weights).unsqueeze(1) / totals.square()
dweights = dshares / totals + dtotals @ torch.ones(1, weights.shape[1], dtype=weights.dtype)
dscores = weights * dweights
dhidden = torch.einsum("nv,hv->nh", dscores, W2)
dW2 = torch.einsum("nh,nv->hv", hidden, dscores)
db2 = torch.einsum("nv->v", dscores)
dpre = dhidden - dhidden * hidden.square()
dcentred = torch.einsum("nh,jh->nj", dpre, W1)
dW1 = torch.einsum("nj,nh->jh", centred, dpre)
db1 = torch.einsum("nh->h", dpre)
# the centring matrix I - 11'/n is symmetric
C = torch.eye(n, dtype=dcentred.dtype) - torch.ones(n, n, dtype=dcentred.dtype) / n
djoined = C @ dcentred
drows = djoined.reshape(rows.shape)
words = F.one_hot(contexts, table.shape[0]).to(drows.dtype)
dtable = torch.einsum("ntv,nte->ve", words, drows)

print(f"loss {loss:.4f}, |dtable| {dtable.norm():.4f}")
