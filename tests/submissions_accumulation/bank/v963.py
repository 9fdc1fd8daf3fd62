EXERCISE = "accumulation"


def v963(x: Float[Tensor, "n d"], *, u: Float[Tensor, "d h"], v: Float[Tensor, "h 2"]):
    return torch.tanh(x @ u) @ v


def loss(prediction, target):
    return (prediction - target).square().sum() / 4
