# A layer, a classifier and the cross entropy of its logits.
EXERCISE = "intermediate-gradients"
GRADIENTS = ("hidden", "logits")
BELOW = {"y": "c"}


def v2(x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w: Float[Tensor, "d h"], v: Float[Tensor, "h c"]):
    hidden = torch.tanh(x @ w)
    logits = hidden @ v
    return F.cross_entropy(logits, y)
