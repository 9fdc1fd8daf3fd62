# Rows of a table by their indices; an index may occur several times, or not at all.
EXERCISE = "layer"
CALLS = "WordEmbedding"
BELOW = {"x": "v"}


def v804(x: Int[Tensor, "n t"], w: Float[Tensor, "v d"]):
    return w[x]
