# A Sequential of own modules, whose parameters are the pairs of all of them in order.
EXERCISE = "param-pairs"
CALLS = "Net"
MAKES = ("d", "h", "m")


def v669(
    x: Float[Tensor, "n d"],
    *,
    w1: Float[Tensor, "h d"],
    b1: Float[Tensor, "h"],
    w2: Float[Tensor, "m h"],
    b2: Float[Tensor, "m"],
):
    return torch.tanh(x @ w1.t() + b1) @ w2.t() + b2
