# A net of the student's own modules, whose parameters are those of the modules in it.
EXERCISE = "modules"
CALLS = "Net"
MAKES = ("d", "h", "m")
HOLDS = {
    "W1": "self.modules[0].weight",
    "b1": "self.modules[0].bias",
    "W2": "self.modules[2].weight",
    "b2": "self.modules[2].bias",
}
DELIVERS = {
    "W1": "self.modules[0].gradWeight",
    "b1": "self.modules[0].gradBias",
    "W2": "self.modules[2].gradWeight",
    "b2": "self.modules[2].gradBias",
    "input": "self.gradInput",
}


def v629(
    input: Float[Tensor, "n d"],
    *,
    W1: Float[Tensor, "h d"],
    b1: Float[Tensor, "h"],
    W2: Float[Tensor, "m h"],
    b2: Float[Tensor, "m"],
):
    return (input @ W1.t() + b1).relu() @ W2.t() + b2
