import numpy as np
import torch


def softmax(z, axis):
    z = z - torch.amax(z, axis, keepdims=True)
    e = torch.exp(z)
    return e / torch.sum(e, axis=axis, keepdims=True)


class Attention(object):

    @staticmethod
    def forward(q, k, v):
        N, T, D = q.shape
        E = v.shape[-1]
        out = torch.zeros((N, T, E), dtype=q.dtype)
        cache = []
        for n in range(N):
            A = softmax(q[n].matmul(k[n].T) / np.sqrt(D), axis=-1)   # (T, M)
            out[n] = A.matmul(v[n])
            cache.append((q[n], k[n], v[n], A))
        # print(out.shape)
        return out, tuple(cache)

    @staticmethod
    def backward(dout, cache):
        dq, dk, dv = [], [], []
        for n, (Q, K, V, A) in enumerate(cache):
            T, D = Q.shape
            dO = dout[n]
            dA = dO.matmul(V.T)
            dS = torch.empty_like(A)
            for t in range(T):
                a, da = A[t], dA[t]
                dS[t, :] = a * (da - torch.dot(a, da))
            dS /= np.sqrt(D)
            dq.append(dS.matmul(K))
            dk.append(dS.T.matmul(Q))
            dv.append(A.T.matmul(dO))
        return torch.stack(dq, axis=0), torch.stack(dk, axis=0), torch.stack(dv, axis=0)
