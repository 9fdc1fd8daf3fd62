# ReLU in the same course: no parameters.
EXERCISE = "param-pairs"
CALLS = "ReLU"


def v667(x: Float[Tensor, "n d"]):
    return x.relu()
