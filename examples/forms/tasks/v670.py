# The loss of that course as a pair of functions: loss(v, t), dloss(v, t).
EXERCISE = "param-pairs"
CALLS = ("loss", "dloss")
GRADIENTS = ("v",)


def v670(v: Float[Tensor, "n m"], t: Float[Tensor, "n m"]):
    return (v - t).pow(2).sum()
