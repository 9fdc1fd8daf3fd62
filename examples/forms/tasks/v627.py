# ChannelwiseScaling: scale and shift of a batch normalisation, made with their number.
EXERCISE = "modules"
CALLS = "ChannelwiseScaling"
MAKES = ("d",)


def v627(input: Float[Tensor, "n d"], *, gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"]):
    return input * gamma + beta
