# Logistic regression: the loss, and gradients of weights and bias in a tuple.
EXERCISE = "value-and-gradient"
CALLS = "logistic_loss(w, b, X, y)"


def v609(X: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, w: Float[Tensor, "d"], b: Float[Tensor, ""]):
    return F.softplus(X @ w + b).mean() - (y * (X @ w + b)).mean()
