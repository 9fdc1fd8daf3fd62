# Max pooling, with windows that overlap and windows that do not.
EXERCISE = "layer"
CALLS = "MaxPool"
SIZES = {"n": (1, 2), "c": (1, 2), "H": (4, 5), "W": (3, 4)}
VALUES = {
    "pool_param": (
        {"pool_height": 2, "pool_width": 2, "stride": 2},
        {"pool_height": 2, "pool_width": 2, "stride": 1},
        {"pool_height": 3, "pool_width": 2, "stride": 2},
    )
}


def v517(x: Float[Tensor, "n c H W"], pool_param: dict):
    window = (pool_param["pool_height"], pool_param["pool_width"])
    return F.max_pool2d(x, window, pool_param["stride"])
