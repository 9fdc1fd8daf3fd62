import math

import torch


class FlashAttention2(torch.autograd.Function):
    """FlashAttention-2 in plain PyTorch, forward = Algorithm 1, backward = Algorithm 2."""

    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        B, N, d = Q.shape
        Br, Bc = min(16, N), min(16, K.shape[1])
        Tr, Tc = math.ceil(N / Br), math.ceil(K.shape[1] / Bc)
        sm_scale = d ** -0.5
        pos = torch.arange(max(N, K.shape[1]), device=Q.device)

        O_tiles = []
        L_tiles = []
        for i in range(Tr):
            q_slice = slice(i * Br, (i + 1) * Br)
            Q_i = Q[:, q_slice, :]
            O_i = Q.new_zeros(B, Q_i.shape[1], d)
            l_i = Q.new_zeros(B, Q_i.shape[1], 1)
            m_i = Q.new_full((B, Q_i.shape[1], 1), -float("inf"))
            for j in range(Tc):
                k_slice = slice(j * Bc, (j + 1) * Bc)
                S_ij = torch.matmul(Q_i, K[:, k_slice, :].transpose(-1, -2)) * sm_scale
                if is_causal:
                    hidden = pos[q_slice].unsqueeze(1) < pos[k_slice].unsqueeze(0)
                    S_ij = S_ij.masked_fill(hidden, -float("inf"))
                m_ij = torch.maximum(m_i, S_ij.amax(dim=-1, keepdim=True))
                P_ij = torch.exp(S_ij - m_ij)
                corr = torch.exp(m_i - m_ij)
                l_i = corr * l_i + P_ij.sum(dim=-1, keepdim=True)
                O_i = corr * O_i + torch.matmul(P_ij, V[:, k_slice, :])
                m_i = m_ij
            O_tiles.append(O_i / l_i)
            L_tiles.append((m_i + torch.log(l_i)).squeeze(-1))

        O = torch.cat(O_tiles, dim=1)
        L = torch.cat(L_tiles, dim=1)
        ctx.save_for_backward(Q, K, V, O, L)
        ctx.is_causal = is_causal
        ctx.blocks = (Br, Bc, Tr, Tc)
        return O

    @staticmethod
    def backward(ctx, dO):
        Q, K, V, O, L = ctx.saved_tensors
        Br, Bc, Tr, Tc = ctx.blocks
        sm_scale = Q.shape[-1] ** -0.5
        pos = torch.arange(max(Q.shape[1], K.shape[1]), device=Q.device)

        dQ = torch.zeros_like(Q)
        dK = torch.zeros_like(K)
        dV = torch.zeros_like(V)
        D = torch.sum(dO * O, dim=-1)

        for j in range(Tc):
            k_slice = slice(j * Bc, (j + 1) * Bc)
            K_j = K[:, k_slice, :]
            V_j = V[:, k_slice, :]
            dK_j = torch.zeros_like(K_j)
            dV_j = torch.zeros_like(V_j)
            for i in range(Tr):
                q_slice = slice(i * Br, (i + 1) * Br)
                Q_i = Q[:, q_slice, :]
                dO_i = dO[:, q_slice, :]
                S_ij = torch.matmul(Q_i, K_j.transpose(-1, -2)) * sm_scale
                if ctx.is_causal:
                    hidden = pos[q_slice].unsqueeze(1) < pos[k_slice].unsqueeze(0)
                    S_ij = S_ij.masked_fill(hidden, -float("inf"))
                P_ij = torch.exp(S_ij - L[:, q_slice].unsqueeze(-1))
                dV_j += torch.matmul(P_ij.transpose(-1, -2), dO_i)
                dP_ij = torch.matmul(dO_i, V_j.transpose(-1, -2))
                dS_ij = P_ij * (dP_ij - D[:, q_slice].unsqueeze(-1)) * sm_scale
                dQ[:, q_slice, :] += torch.matmul(dS_ij, K_j)
                dK_j += torch.matmul(dS_ij.transpose(-1, -2), Q_i)
            dK[:, k_slice, :] = dK_j
            dV[:, k_slice, :] = dV_j
        return dQ, dK, dV, None
