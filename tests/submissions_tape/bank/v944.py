EXERCISE = "tape"
POSITIVE = ("y",)


def v944(x: Float[Tensor, "n"], y: Float[Tensor, "n"]):
    return x.tanh() * y.log() + x.exp()
