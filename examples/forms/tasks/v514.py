# Spatial batch normalisation in training: statistics of each channel, over images and pixels.
EXERCISE = "layer"
CALLS = "SpatialBatchNorm"


def v514(x: Float[Tensor, "n c 2 3"], gamma: Float[Tensor, "c"], beta: Float[Tensor, "c"]):
    return F.batch_norm(x, None, None, gamma, beta, True, 0.1, 1e-5)
