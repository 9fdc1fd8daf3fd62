# Batch normalisation at test time: the running statistics are constants.
EXERCISE = "layer"
CALLS = ("batchnorm_test_forward", "batchnorm_test_backward")
POSITIVE = ("running_var",)
GRADIENTS = ("x", "gamma", "beta")


def v512(
    x: Float[Tensor, "n d"],
    gamma: Float[Tensor, "d"],
    beta: Float[Tensor, "d"],
    running_mean: Float[Tensor, "d"],
    running_var: Float[Tensor, "d"],
):
    return (x - running_mean) / torch.sqrt(running_var + 1e-5) * gamma + beta
