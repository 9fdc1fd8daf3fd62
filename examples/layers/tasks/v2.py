# Batch normalisation of a batch, as in training: two functions.
EXERCISE = "layer"
CALLS = ("batchnorm_forward", "batchnorm_backward")


def v2(x: Float[Tensor, "n d"], gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"]):
    var, mean = torch.var_mean(x, 0, correction=0)
    return (x - mean) / torch.sqrt(var + 1e-5) * gamma + beta
