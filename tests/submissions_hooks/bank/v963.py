EXERCISE = "saved-tensor-hooks"
THRESHOLD = 600


def v963(x: Float[Tensor, "n d"], w: Float[Tensor, "d"]):
    return (torch.softmax(x * w, 1) * x.exp()).sum(1)
