# Batch normalisation in training with its settings in a dict.
EXERCISE = "layer"
CALLS = "BatchNorm"
VALUES = {"bn_param": ({"mode": "train"}, {"mode": "train", "eps": 0.01, "momentum": 0.5})}


def v515(
    x: Float[Tensor, "n d"], gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"], bn_param: dict
):
    var, mean = torch.var_mean(x, 0, correction=0)
    return (x - mean) / torch.sqrt(var + bn_param.get("eps", 1e-5)) * gamma + beta
