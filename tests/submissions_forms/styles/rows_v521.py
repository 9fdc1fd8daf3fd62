import torch


class Attention(object):
    @staticmethod
    def forward(q, k, v):
        temperature = q.size(2) ** 0.5
        q = q / temperature
        weights = torch.softmax(torch.einsum("ntd,nmd->ntm", q, k), dim=2)
        out = torch.einsum("ntm,nme->nte", weights, v)
        return out, {"q": q, "k": k, "v": v, "w": weights, "temp": temperature}

    @staticmethod
    def backward(grad_out, cache):
        q, k, v, w = (cache[name] for name in "qkvw")

        grad_v = torch.einsum("ntm,nte->nme", w, grad_out)
        grad_w = torch.einsum("nte,nme->ntm", grad_out, v)

        # softmax: the whole Jacobian of every row, diag(w) - w w^T
        jacobian = torch.diag_embed(w) - torch.einsum("nta,ntb->ntab", w, w)
        grad_scores = torch.einsum("ntab,ntb->nta", jacobian, grad_w)

        # q was divided by the temperature before the product, so k's gradient has it already
        grad_k = torch.einsum("ntm,ntd->nmd", grad_scores, q)
        grad_q = torch.einsum("ntm,nmd->ntd", grad_scores, k) / cache["temp"]
        return grad_q, grad_k, grad_v
