# FlashAttention, its tiles in torch: the log of the sums of each row is saved for backward.
# Courses that never ask for ctx.needs_input_grad: `points = 0` in [checks.needs-input-grad] of the rubric.
EXERCISE = "autograd-function"
SIZES = {"b": (1, 2), "n": "16*", "d": 4}
VALUES = {"is_causal": (False, True)}


def v541(
    Q: Float[Tensor, "b n d"], K: Float[Tensor, "b n d"], V: Float[Tensor, "b n d"], is_causal: bool
):
    return F.scaled_dot_product_attention(Q, K, V, is_causal=is_causal)
