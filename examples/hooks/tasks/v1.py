# A layer with tanh; tensors of 1000 elements or more go to disk.
EXERCISE = "saved-tensor-hooks"
THRESHOLD = 1000


def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d c"], b: Float[Tensor, "c"]):
    return torch.tanh(x @ w + b)
