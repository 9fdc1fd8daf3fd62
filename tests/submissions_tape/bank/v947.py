EXERCISE = "tape"
ORDER = 2
OPERATOR = "sigmoid"


def v947(x: Float[Tensor, "n"]):
    return torch.sigmoid(x)
