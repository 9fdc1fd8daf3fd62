EXERCISE = "saved-tensor-hooks"
THRESHOLD = 1000


def v967(x: Float[Tensor, "n d"], w: Float[Tensor, "d c"], b: Float[Tensor, "c"]):
    return torch.sigmoid(torch.tanh(x @ w + b) ** 2)
