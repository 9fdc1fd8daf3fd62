# The binary cross-entropy of probabilities, `return J, dJdy_hat`, a course on the energy of networks.
EXERCISE = "value-and-gradient"
CALLS = "bce_loss"
GRADIENTS = ("y_hat",)
POSITIVE = ("y_hat",)


def v608(y: Float[Tensor, "n m"], y_hat: Float[Tensor, "n m"]):
    p = y_hat / (1 + y_hat)
    return -(y * p.log() + (1 - y) * (1 - p).log()).mean()
