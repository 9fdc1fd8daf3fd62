# A mean and a variance: each column is brought to mean 0 and variance 1, scaled and shifted.
def v914(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "n d"],
    *,
    gamma: Float[Tensor, "d"],
    beta: Float[Tensor, "d"],
    w: Float[Tensor, "d"],
):
    z = x * w
    normal = (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + 0.1)
    return ((gamma * normal + beta - y) ** 2).mean()
