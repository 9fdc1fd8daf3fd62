# Modules with forward(input) and backward(input, gradOutput), which leave gradients in attributes: CALLS names the methods.
EXERCISE = "modules"
CALLS = ("Linear.forward", "Linear.backward")
MAKES = ("d", "m")
DELIVERS = {"W": "self.gradW", "B": "self.gradB"}


def v634(input: Float[Tensor, "n d"], *, W: Float[Tensor, "m d"], B: Float[Tensor, "m 1"]):
    return input @ W.t() + B.t()
