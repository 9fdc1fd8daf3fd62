# A product of two inputs, of which one is broadcast, with its second derivative.
EXERCISE = "autograd-function"
ORDER = 2


def v928(x: Float[Tensor, "n d"], y: Float[Tensor, "d"]):
    return x * y
