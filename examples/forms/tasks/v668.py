# Tanh in the same course.
EXERCISE = "param-pairs"
CALLS = "Tanh"


def v668(x: Float[Tensor, "n d"]):
    return torch.tanh(x)
