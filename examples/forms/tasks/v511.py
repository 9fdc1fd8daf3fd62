# Batch normalisation of a batch in training, gradients step by step or as one formula.
EXERCISE = "layer"
CALLS = "BatchNorm"


def v511(x: Float[Tensor, "n d"], gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"]):
    var, mean = torch.var_mean(x, 0, correction=0)
    return (x - mean) / torch.sqrt(var + 1e-5) * gamma + beta
