# Softmax and cross-entropy on integer labels.
BELOW = {"y": "c"}


def v913(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w: Float[Tensor, "d c"], b: Float[Tensor, "c"]
):
    return F.cross_entropy(x @ w + b, y)
