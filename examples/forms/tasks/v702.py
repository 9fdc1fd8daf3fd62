# A batch normalisation whose input has a bias, which it takes off again: the gradient of b is nothing but rounding.
EXERCISE = "script"
BELOW = {"y": "c"}
MAKES = {"n": "n"}
SIZES = {"n": (24, 32), "h": (12, 16), "c": (8, 12)}


def v702(
    X: Float[Tensor, "n d"],
    y: Int[Tensor, "n"],
    *,
    W: Float[Tensor, "d h"],
    b: Float[Tensor, "h"],
    V: Float[Tensor, "h c"],
):
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
    return loss
