from torch import tensor


def near(a, b, tol=1e-5): return (a - b).abs().max() < tol


def mse(output, targ):
    # targ[:,None]: (n,1) with (n,1), not (n,1) with (n,) -- that broadcasts to (n,n)!!
    mse.diff = output - targ[:, None]
    n = mse.diff.shape[0]
    return (mse.diff.T @ mse.diff)[0, 0] / n


def mse_grad(inp, targ):
    bs = targ.numel()
    inp.g = (mse.diff + mse.diff) / bs


# preds = tensor([[1.], [2.]]); t = tensor([0., 4.])
# mse(preds, t), mse_grad(preds, t); preds.g
