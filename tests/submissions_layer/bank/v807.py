# Layer normalisation of each row.
EXERCISE = "layer"
CALLS = "LayerNorm"


def v807(x: Float[Tensor, "n d"], gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"]):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5)
