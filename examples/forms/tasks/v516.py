# A convolution in naive loops, its stride and padding in a dict.
EXERCISE = "layer"
CALLS = "Conv"
SIZES = {"n": (1, 2), "c": (1, 2), "f": (1, 2), "H": (3, 5), "W": (3, 4)}
VALUES = {
    "conv_param": ({"stride": 1, "pad": 1}, {"stride": 2, "pad": 1}, {"stride": 2, "pad": 0})
}


def v516(
    x: Float[Tensor, "n c H W"], w: Float[Tensor, "f c 3 2"], b: Float[Tensor, "f"], conv_param: dict
):
    return F.conv2d(x, w, b, stride=conv_param["stride"], padding=conv_param["pad"])
