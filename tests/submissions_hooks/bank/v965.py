EXERCISE = "saved-tensor-hooks"
THRESHOLD = 1200


def v965(x: Float[Tensor, "n d"], w: Float[Tensor, "n d"]):
    return (torch.relu(x - 0.6) * w + torch.sigmoid(x)).mean(0)
