# ReLU of a tensor of any shape, as courses on deep vision ask for it.
EXERCISE = "layer"
CALLS = "ReLU"


def v502(x: Float[Tensor, "n c 2 3"]):
    return torch.relu(x)
