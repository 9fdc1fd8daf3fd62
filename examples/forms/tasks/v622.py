# ReLU as a module with Torch7's names: no parameters, the gradient of the input alone.
EXERCISE = "modules"
CALLS = "ReLU"


def v622(input: Float[Tensor, "n d"]):
    return input.relu()
