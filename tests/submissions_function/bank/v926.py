# Softmax of each row.
EXERCISE = "autograd-function"


def v926(x: Float[Tensor, "n d"]):
    return torch.softmax(x, dim=-1)
