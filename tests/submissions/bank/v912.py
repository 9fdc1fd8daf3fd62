# Two layers with ReLU.
def v912(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "n c"],
    *,
    w1: Float[Tensor, "d h"],
    b1: Float[Tensor, "h"],
    w2: Float[Tensor, "h c"],
    b2: Float[Tensor, "c"],
):
    hidden = torch.relu(x @ w1 + b1)
    return ((hidden @ w2 + b2 - y) ** 2).sum() / x.shape[0]
