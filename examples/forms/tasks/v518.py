# Word vectors of sequences of words, summed where a word occurs more than once.
EXERCISE = "layer"
CALLS = ("word_embedding_forward", "word_embedding_backward")
BELOW = {"x": "v"}


def v518(x: Int[Tensor, "n t"], W: Float[Tensor, "v d"]):
    return W[x]
