# The mean squared error of predictions with a last dimension of one: mse(inp, targ), mse_grad(inp, targ).
EXERCISE = "dot-g"
CALLS = ("mse", "mse_grad")
GRADIENTS = ("inp",)


def v648(inp: Float[Tensor, "n 1"], targ: Float[Tensor, "n"]):
    return (inp.squeeze(-1) - targ).pow(2).mean()
