# Layer normalisation of the last dimension.
EXERCISE = "layer"
CALLS = "LayerNorm"


def v513(x: Float[Tensor, "n t d"], gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"]):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5)
