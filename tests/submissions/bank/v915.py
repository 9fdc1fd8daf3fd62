# Logistic regression.
def v915(x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, w: Float[Tensor, "d"], b: Float[Tensor, ""]):
    z = x @ w + b
    return (F.softplus(z) - y * z).mean()
