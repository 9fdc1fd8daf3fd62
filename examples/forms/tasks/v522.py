# Scaled dot-product attention with a flag for the causal mask.
EXERCISE = "layer"
CALLS = ("attention_forward", "attention_backward")
VALUES = {"is_causal": (False, True)}


def v522(
    q: Float[Tensor, "n t d"], k: Float[Tensor, "n t d"], v: Float[Tensor, "n t e"], is_causal: bool
):
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
