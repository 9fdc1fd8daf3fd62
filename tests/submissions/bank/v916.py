# A layer of real sizes, and a loss: 108 inputs and 130 weights.
BELOW = {"y": 10}


def v916(x: Float[Tensor, "9 12"], y: Int[Tensor, "9"], *, w: Float[Tensor, "12 10"], b: Float[Tensor, "10"]):
    return torch.nn.functional.cross_entropy(x @ w + b, y)
