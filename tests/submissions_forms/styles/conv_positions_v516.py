import torch


def pad_image(x, p):
    N, C, H, W = x.shape
    big = torch.zeros(N, C, H + 2 * p, W + 2 * p, dtype=x.dtype)
    big[:, :, p:p + H, p:p + W] = x
    return big


class Conv(object):

    @staticmethod
    def forward(x, w, b, conv_param):
        s = conv_param['stride']
        xp = pad_image(x, conv_param['pad'])
        n_filters, _, kh, kw = w.shape
        oh = (xp.shape[2] - kh) // s + 1
        ow = (xp.shape[3] - kw) // s + 1
        out = x.new_zeros(x.shape[0], n_filters, oh, ow)
        # all images and all filters at once, one position after the other
        for r in range(oh):
            for c in range(ow):
                patch = xp[:, :, r * s:r * s + kh, c * s:c * s + kw]
                out[:, :, r, c] = torch.einsum('nchw,fchw->nf', patch, w)
        out += b.view(1, -1, 1, 1)
        return out, (x, w, b, conv_param)

    @staticmethod
    def backward(dout, cache):
        x, w, b, conv_param = cache
        s, p = conv_param['stride'], conv_param['pad']
        kh, kw = w.shape[2:]
        xp = pad_image(x, p)
        dxp = torch.zeros_like(xp)
        dw = torch.zeros_like(w)
        for r in range(dout.shape[2]):
            for c in range(dout.shape[3]):
                top, left = r * s, c * s
                g = dout[:, :, r, c]  # (N, F)
                patch = xp[:, :, top:top + kh, left:left + kw]
                dw += torch.einsum('nf,nchw->fchw', g, patch)
                dxp[:, :, top:top + kh, left:left + kw] += torch.einsum('nf,fchw->nchw', g, w)
        db = dout.sum(dim=(0, 2, 3))
        if p > 0:
            dx = dxp[:, :, p:-p, p:-p]
        else:
            dx = dxp
        return dx, dw, db
