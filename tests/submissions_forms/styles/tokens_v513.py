import torch


def normalise_one(vec, eps=1e-5):
    centred = vec - vec.mean()
    sigma = (centred.dot(centred) / vec.numel() + eps).sqrt()
    return centred / sigma, sigma


def one_backward(d_hat, hat, sigma):
    """The Jacobian of a single token, written out: (I - 1/D - hat hat^T / D) / sigma."""
    D = hat.numel()
    eye = torch.eye(D, dtype=hat.dtype, device=hat.device)
    J = (eye - 1.0 / D - torch.outer(hat, hat) / D) / sigma
    return J.mv(d_hat)


class LayerNorm:
    @staticmethod
    def forward(x, gamma, beta):
        out = torch.empty_like(x)
        memory = {}
        for n in range(x.shape[0]):
            for t in range(x.shape[1]):
                hat, sigma = normalise_one(x[n, t])
                memory[n, t] = hat, sigma
                out[n, t] = gamma * hat + beta
        return out, (memory, gamma)

    @staticmethod
    def backward(dout, cache):
        memory, gamma = cache
        dx = torch.zeros_like(dout)
        dgamma = torch.zeros_like(gamma)
        dbeta = torch.zeros_like(gamma)
        for (n, t), (hat, sigma) in memory.items():
            row = dout[n, t]
            dbeta += row
            dgamma += row * hat
            dx[n, t] = one_backward(row * gamma, hat, sigma)
        return dx, dgamma, dbeta
