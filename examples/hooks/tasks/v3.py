# Rows of a table; what is saved of the index goes to disk, too.
EXERCISE = "saved-tensor-hooks"
THRESHOLD = 1000
BELOW = {"index": "k"}


def v3(w: Float[Tensor, "k"], x: Float[Tensor, "n"], index: Int[Tensor, "n"]):
    return (w[index] * x).exp()
