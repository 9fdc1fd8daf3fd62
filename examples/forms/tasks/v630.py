# MSECriterion: a mean over the samples, and the gradient with respect to the input.
EXERCISE = "modules"
CALLS = "MSECriterion"
GRADIENTS = ("input",)


def v630(input: Float[Tensor, "n d"], target: Float[Tensor, "n d"]):
    return (input - target).pow(2).sum() / len(input)
