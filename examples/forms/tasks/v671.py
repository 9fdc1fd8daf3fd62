# A mean squared error as a class whose backward takes nothing: CALLS says so.
EXERCISE = "param-pairs"
CALLS = ("LossMSE.forward", "LossMSE.backward()")
GRADIENTS = ("pred",)


def v671(pred: Float[Tensor, "n m"], target: Float[Tensor, "n m"]):
    return F.mse_loss(pred, target)
