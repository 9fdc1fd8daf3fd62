# A model of the student's own layers, made with their weights; called with input and target, it gives the loss.
EXERCISE = "dot-g"
CALLS = "Model"
MAKES = ("w1", "b1", "w2", "b2")
GRADIENTS = ("x", "w1", "b1", "w2", "b2")


def v651(
    x: Float[Tensor, "n d"],
    targ: Float[Tensor, "n"],
    w1: Float[Tensor, "d h"],
    b1: Float[Tensor, "h"],
    w2: Float[Tensor, "h 1"],
    b2: Float[Tensor, "1"],
):
    return ((x @ w1 + b1).relu() @ w2 + b2).squeeze(-1).sub(targ).pow(2).mean()
