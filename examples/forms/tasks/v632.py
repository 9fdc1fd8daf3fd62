# A linear layer with the newer names: compute_output, compute_grad_input, update_grad_parameters.
EXERCISE = "modules"
CALLS = "Linear"
MAKES = ("d", "m")
HOLDS = {"w": "self.weight", "b": "self.bias"}
DELIVERS = {"w": "self.grad_weight", "b": "self.grad_bias"}


def v632(x: Float[Tensor, "n d"], *, w: Float[Tensor, "m d"], b: Float[Tensor, "m"]):
    return x @ w.t() + b
