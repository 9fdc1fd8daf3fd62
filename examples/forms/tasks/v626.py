# BatchNormalization without scale and shift, in training: the first two draws of a course's assignment.
EXERCISE = "modules"
CALLS = "BatchNormalization"
MAKES = {"alpha": 0.9}


def v626(input: Float[Tensor, "n d"]):
    centered = input - input.mean(0)
    return centered / (centered.pow(2).mean(0) + 1e-3).sqrt()
