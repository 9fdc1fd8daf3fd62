EXERCISE = "saved-tensor-hooks"
THRESHOLD = 1000
BELOW = {"index": "k"}


def v964(w: Float[Tensor, "k"], x: Float[Tensor, "n"], index: Int[Tensor, "n"]):
    return (w[index] * x).exp()
