# ReLU, as in the course's note: where x is 0, torch's clamp passes the gradient on.
EXERCISE = "autograd-function"


def v921(x: Float[Tensor, "n d"]):
    return x.clamp(min=0)
