# A small language model, statement by statement, as lectures on backpropagation by hand have it.
EXERCISE = "script"
BELOW = {"contexts": "v", "following": "v"}
MAKES = {"n": "n", "batch_size": "n"}
SIZES = {"n": (2, 6)}


def v701(
    contexts: Int[Tensor, "n t"],
    following: Int[Tensor, "n"],
    *,
    table: Float[Tensor, "v e"],
    W1: Float[Tensor, "t*e h"],
    b1: Float[Tensor, "h"],
    W2: Float[Tensor, "h v"],
    b2: Float[Tensor, "v"],
):
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
    return loss
