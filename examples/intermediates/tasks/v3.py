# Linear regression: the prediction and the residual, and the mean of its squares.
EXERCISE = "intermediate-gradients"
GRADIENTS = ("prediction", "residual")


def v3(x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, w: Float[Tensor, "d"], b: Float[Tensor, ""]):
    prediction = x @ w + b
    residual = prediction - y
    loss = (residual ** 2).mean()
    return loss
