# Scaled dot-product attention of one head.
EXERCISE = "layer"
CALLS = "Attention"


def v811(q: Float[Tensor, "n d"], k: Float[Tensor, "m d"], v: Float[Tensor, "m e"]):
    return torch.softmax(q @ k.T / q.shape[1] ** 0.5, 1) @ v
