# A convolution with padding 1 and stride 2.
EXERCISE = "layer"
CALLS = "Conv"


def v805(x: Float[Tensor, "2 2 4 3"], w: Float[Tensor, "2 2 3 3"], b: Float[Tensor, "2"]):
    return F.conv2d(x, w, b, stride=2, padding=1)
