# A loss that returns its value and its gradient: `return J, dJdy_hat`, a course on the energy of networks.
EXERCISE = "value-and-gradient"
CALLS = "mse_loss"
GRADIENTS = ("y_hat",)


def v607(y: Float[Tensor, "n m"], y_hat: Float[Tensor, "n m"]):
    return F.mse_loss(y_hat, y)
