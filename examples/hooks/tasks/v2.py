# A product of elementwise functions; tensors of 600 elements or more go to disk.
EXERCISE = "saved-tensor-hooks"
THRESHOLD = 600


def v2(x: Float[Tensor, "n"], w: Float[Tensor, "n"]):
    return (x * x * w).sin().exp()
