# verdict:
# why = "torch's forward, and the Jacobian of each row"
import torch
class LayerNorm:
    @staticmethod
    def forward(x, gamma, beta):
        out = torch.nn.functional.layer_norm(x, x.shape[1:], gamma, beta)
        return out, (x, gamma)
    @staticmethod
    def backward(dout, cache):
        x, gamma = cache
        D = x.shape[1]
        dx = torch.zeros_like(x)
        dg = torch.zeros_like(gamma)
        for i in range(len(x)):
            mu = x[i].mean()
            var = (x[i] - mu).pow(2).sum() / D
            s = torch.sqrt(var + 1e-5)
            xh = (x[i] - mu) / s
            J = (torch.eye(D) - 1 / D - torch.outer(xh, xh) / D) / s
            dx[i] = J @ (gamma * dout[i])
            dg += xh * dout[i]
        return dx, dg, dout.sum(0)
