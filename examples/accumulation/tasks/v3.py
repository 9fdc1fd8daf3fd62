EXERCISE = "accumulation"


def v3(x: Float[Tensor, "n d"], *, u: Float[Tensor, "d h"], v: Float[Tensor, "h 1"]):
    return torch.tanh(x @ u) @ v


def loss(prediction, target):
    return (prediction - target).square().sum()
