# Scaled dot-product attention of a batch.
EXERCISE = "layer"
CALLS = "Attention"


def v521(q: Float[Tensor, "n t d"], k: Float[Tensor, "n m d"], v: Float[Tensor, "n m e"]):
    return F.scaled_dot_product_attention(q, k, v)
