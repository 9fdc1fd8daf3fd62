import torch
import torch.nn.functional as F


def get_out_size(size, k, pad, stride):
    return int((size + 2 * pad - k) / stride) + 1


class Conv(object):

    @staticmethod
    def forward(x, w, b, conv_param):
        pad = conv_param['pad']
        stride = conv_param['stride']
        N, C, H, W = x.shape
        num_filters, C2, K1, K2 = w.shape
        assert C == C2
        H1 = get_out_size(H, K1, pad, stride)
        W1 = get_out_size(W, K2, pad, stride)
        x_pad = torch.zeros(N, C, H + 2 * pad, W + 2 * pad, dtype=x.dtype)
        x_pad[:, :, pad:H + pad, pad:W + pad] = x

        # loop over the kernel, not over the image (much faster)
        out = torch.zeros(N, num_filters, H1, W1, dtype=x.dtype)
        out = out + b[None, :, None, None]
        for ki in range(K1):
            for kj in range(K2):
                piece = x_pad[:, :, ki:ki + stride * H1:stride, kj:kj + stride * W1:stride]
                # piece (N, C, H1, W1) -> (N, 1, C, H1, W1), weights -> (1, F, C, 1, 1)
                wk = w[:, :, ki, kj]
                out += (piece[:, None] * wk[None, :, :, None, None]).sum(dim=2)
        cache = (x_pad, w, b, conv_param, x.shape)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x_pad, w, b, conv_param, x_shape = cache
        pad = conv_param['pad']
        stride = conv_param['stride']
        N, C, H, W = x_shape
        _, _, H1, W1 = dout.shape

        db = torch.zeros_like(b)
        for f in range(len(b)):
            db[f] = torch.sum(dout[:, f, :, :])

        dw = torch.zeros_like(w)
        dx_pad = torch.zeros_like(x_pad)
        for ki in range(w.shape[2]):
            for kj in range(w.shape[3]):
                rows = slice(ki, ki + stride * H1, stride)
                cols = slice(kj, kj + stride * W1, stride)
                piece = x_pad[:, :, rows, cols]
                prod = dout[:, :, None] * piece[:, None]       # (N, F, C, H1, W1)
                dw[:, :, ki, kj] = prod.sum(dim=(0, 3, 4))
                back = dout[:, :, None] * w[:, :, ki, kj][None, :, :, None, None]
                dx_pad[:, :, rows, cols] += back.sum(dim=1)

        if pad > 0:
            dx = dx_pad[:, :, pad:-pad, pad:-pad]
        else:
            dx = dx_pad
        assert dx.shape == torch.Size(x_shape)
        return dx, dw, db
