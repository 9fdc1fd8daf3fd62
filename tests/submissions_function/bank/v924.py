# The exponential, with its second derivative.
EXERCISE = "autograd-function"
ORDER = 2


def v924(x: Float[Tensor, "n d"]):
    return torch.exp(x)
