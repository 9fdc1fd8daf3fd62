# Dropout as it is asked for in training: the mask is drawn, by the seed that the course gives. p is what is dropped, or
# what is kept, and a number is below it or above.
EXERCISE = "layer"
CALLS = "Dropout"
VALUES = {
    "dropout_param": (
        {"mode": "train", "p": 0.3, "seed": 1},
        {"mode": "train", "p": 0.6, "seed": 2},
        {"mode": "test", "p": 0.3},
    )
}
ACCEPTS = ("below", "kept")


def v528(x: Float[Tensor, "n d"], dropout_param: dict):
    if dropout_param["mode"] == "test":
        return x
    torch.manual_seed(dropout_param["seed"])
    return x * (torch.rand(x.shape) > dropout_param["p"]) / (1 - dropout_param["p"])


def below(x, dropout_param):
    if dropout_param["mode"] == "test":
        return x
    torch.manual_seed(dropout_param["seed"])
    return x * (torch.rand(x.shape) < 1 - dropout_param["p"]) / (1 - dropout_param["p"])


def kept(x, dropout_param):
    if dropout_param["mode"] == "test":
        return x
    torch.manual_seed(dropout_param["seed"])
    return x * (torch.rand(x.shape) < dropout_param["p"]) / dropout_param["p"]
