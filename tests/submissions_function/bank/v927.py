# Layer normalisation of each row.
EXERCISE = "autograd-function"


def v927(x: Float[Tensor, "n d"], gain: Float[Tensor, "d"], bias: Float[Tensor, "d"]):
    return F.layer_norm(x, x.shape[-1:], gain, bias, 1e-5)
