# Softmax of a tensor of real sizes: its Jacobian has 343 times 343 numbers.
EXERCISE = "autograd-function"


def v930(x: Float[Tensor, "7 7 7"]):
    return x.softmax(1)
