# verdict:
# why = "node by node, as the lecture walks the graph"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mu = x.mean(dim=1, keepdim=True)
        xmu = x - mu
        var = (xmu**2).mean(dim=1, keepdim=True)
        std = torch.sqrt(var + 1e-5)
        xhat = xmu / std
        ctx.save_for_backward(xmu, std, gain)
        return gain * xhat + bias

    @staticmethod
    def backward(ctx, dout):
        xmu, std, gain = ctx.saved_tensors
        d = xmu.shape[1]
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            dxhat = dout * gain
            dstd = -(dxhat * xmu).sum(dim=1, keepdim=True) / std**2
            dvar = dstd * 0.5 / std
            dxmu = dxhat / std + dvar * 2 * xmu / d
            dmu = -dxmu.sum(dim=1, keepdim=True)
            dx = dxmu + dmu / d
        if ctx.needs_input_grad[1]:
            dgain = (dout * (xmu / std)).sum(dim=0)
        if ctx.needs_input_grad[2]:
            dbias = dout.sum(dim=0)
        return dx, dgain, dbias
