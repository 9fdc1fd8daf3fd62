# SoftPlus with Torch7's names.
EXERCISE = "modules"
CALLS = "SoftPlus"


def v635(input: Float[Tensor, "n d"]):
    return F.softplus(input)
