import torch


class MaxPool(object):
    """Loops over the places INSIDE of a window, all windows at once by strided slices."""

    @staticmethod
    def forward(x, pool_param):
        PH, PW = pool_param['pool_height'], pool_param['pool_width']
        S = pool_param['stride']
        N, C, H, W = x.shape
        HO = (H - PH) // S + 1
        WO = (W - PW) // S + 1

        out = torch.full((N, C, HO, WO), -float('inf'), dtype=x.dtype)
        best = torch.zeros((N, C, HO, WO), dtype=torch.long)
        for i in range(PH):
            for j in range(PW):
                # x[:, :, i::S, j::S], but only as many as there are windows
                patch = x[:, :, i:i + S * (HO - 1) + 1:S, j:j + S * (WO - 1) + 1:S]
                assert patch.shape == out.shape
                better = patch > out
                out[better] = patch[better]
                best[better] = i * PW + j
        cache = (x, best, pool_param)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, best, pool_param = cache
        PW, S = pool_param['pool_width'], pool_param['stride']
        _, _, HO, WO = dout.shape
        dx = torch.zeros_like(x)
        for k in range(pool_param['pool_height'] * PW):
            i, j = divmod(k, PW)
            dx[:, :, i:i + S * (HO - 1) + 1:S, j:j + S * (WO - 1) + 1:S] += dout * (best == k)
        return dx
