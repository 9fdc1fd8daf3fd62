import torch
from torch import Tensor


class FlashAttentionPytorch(torch.autograd.Function):
    @staticmethod
    def causal_mask(scores: Tensor, q_start: int, k_start: int) -> Tensor:
        n_q, n_k = scores.shape[-2:]
        q_idx = torch.arange(q_start, q_start + n_q, device=scores.device).view(-1, 1)
        k_idx = torch.arange(k_start, k_start + n_k, device=scores.device).view(1, -1)
        return scores.masked_fill(k_idx > q_idx, float("-inf"))

    @staticmethod
    def forward(ctx, Q: Tensor, K: Tensor, V: Tensor, is_causal: bool = False) -> Tensor:
        batch_size, seq_len, d_model = Q.shape
        num_keys = K.shape[-2]
        tile = 16

        O = torch.empty_like(Q)
        L = torch.empty((batch_size, seq_len), dtype=Q.dtype, device=Q.device)

        for q0 in range(0, seq_len, tile):
            q1 = min(q0 + tile, seq_len)
            q = Q[:, q0:q1] / d_model**0.5
            out = torch.zeros_like(q)
            row_max = torch.full(q.shape[:-1], float("-inf"), dtype=Q.dtype, device=Q.device)
            row_sum = torch.zeros_like(row_max)

            # keys after the last query of the tile are never seen
            last = q1 if is_causal else num_keys
            for k0 in range(0, last, tile):
                k1 = min(k0 + tile, last)
                scores = torch.einsum("b i d, b j d -> b i j", q, K[:, k0:k1])
                if is_causal:
                    scores = FlashAttentionPytorch.causal_mask(scores, q0, k0)
                prev_max = row_max
                row_max = torch.maximum(prev_max, torch.max(scores, dim=-1)[0])
                weights = (scores - row_max.unsqueeze(-1)).exp()
                rescale = (prev_max - row_max).exp()
                row_sum = row_sum * rescale
                row_sum += weights.sum(-1)
                out = out * rescale.unsqueeze(-1)
                out += torch.einsum("b i j, b j d -> b i d", weights, V[:, k0:k1])

            O[:, q0:q1] = out / row_sum.unsqueeze(-1)
            L[:, q0:q1] = row_max + row_sum.log()

        ctx.save_for_backward(Q, K, V, O, L)
        ctx.is_causal = is_causal
        return O

    @staticmethod
    def backward(ctx, grad_out: Tensor):
        Q, K, V, O, L = ctx.saved_tensors
        root_d = Q.shape[-1] ** 0.5

        delta = torch.einsum("b i d, b i d -> b i", O, grad_out)
        S = torch.einsum("b i d, b j d -> b i j", Q, K) / root_d
        if ctx.is_causal:
            S = FlashAttentionPytorch.causal_mask(S, 0, 0)
        P = (S - L.unsqueeze(-1)).exp()

        grad_V = torch.einsum("b i j, b i d -> b j d", P, grad_out)
        grad_P = torch.einsum("b i d, b j d -> b i j", grad_out, V)
        grad_S = (grad_P - delta.unsqueeze(-1)).mul(P).div(root_d)
        grad_Q = torch.einsum("b i j, b j d -> b i d", grad_S, K)
        grad_K = torch.einsum("b i j, b i d -> b j d", grad_S, Q)
        return grad_Q, grad_K, grad_V, None
