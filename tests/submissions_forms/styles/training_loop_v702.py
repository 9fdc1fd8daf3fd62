import torch

torch.manual_seed(0)
n, d, h, c = 32, 10, 16, 8
X = torch.randn(n, d)
y = torch.randint(0, c, (n,))

W = torch.randn(d, h) / d ** 0.5
b = torch.zeros(h)
V = torch.randn(h, c) / h ** 0.5

learning_rate = 1e-1
for t in range(200):
    # Forward pass: compute predicted y
    before = X @ W + b
    means = before.mean(0, keepdim=True)
    centred = before - means
    variances = (centred**2).mean(0, keepdim=True)
    inverses = (variances + 1e-5) ** -0.5
    normal = centred * inverses
    hidden = torch.tanh(normal)
    scores = hidden @ V
    greatest = scores.max(1, keepdim=True).values
    weights = (scores - greatest).exp()
    shares = weights / weights.sum(1, keepdim=True)
    loss = -shares[torch.arange(len(y)), y].log().mean()
    if t % 50 == 49:
        print(t, loss.item())

    # Backprop to compute gradients of W, b and V with respect to loss
    picked = shares.gather(1, y.view(-1, 1))
    dshares = torch.zeros_like(shares).scatter_(1, y.view(-1, 1), -1.0 / (n * picked))
    Z = weights.sum(1, keepdim=True)
    dweights = dshares / Z - (dshares * shares).sum(1, keepdim=True) / Z
    dgreatest = -(dweights * weights).sum(1, keepdim=True)
    dscores = dweights * weights
    winners = scores.argmax(1, keepdim=True)
    dscores = dscores.scatter_add(1, winners, dgreatest)
    dV = hidden.t().mm(dscores)
    dhidden = dscores.mm(V.t())
    dnormal = dhidden * (1 - hidden) * (1 + hidden)
    dinverses = (dnormal * centred).sum(0, keepdim=True)
    dvariances = dinverses * -0.5 * inverses.pow(3)
    dcentred = dnormal * inverses + dvariances * 2 / n * centred
    dmeans = -dcentred.sum(0, keepdim=True)
    dbefore = dcentred + dmeans.expand(n, -1) / n
    dW = X.t().mm(dbefore)
    db = dbefore.sum(0)

    # Update weights using gradient descent
    W -= learning_rate * dW
    b -= learning_rate * db
    V -= learning_rate * dV
