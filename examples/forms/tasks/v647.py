# ReLU as a pair of functions: relu(x), relu_grad(inp, out).
EXERCISE = "dot-g"
CALLS = ("relu", "relu_grad")


def v647(inp: Float[Tensor, "n d"]):
    return inp.relu()
