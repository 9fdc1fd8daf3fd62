import torch


class Dropout:
    @staticmethod
    def forward(x, dropout_param):
        p, mode = dropout_param["p"], dropout_param["mode"]
        mask, out = None, x
        if "seed" in dropout_param:
            torch.manual_seed(dropout_param["seed"])
        match mode:
            case "train":
                mask = (torch.rand(*x.shape) > p).to(x.dtype).div(1 - p)
                out = x * mask
            case "test":
                out = x
            case _:
                raise NotImplementedError(mode)
        return out.to(x.dtype, copy=False), (dropout_param, mask)

    @staticmethod
    def backward(dout, cache):
        param, mask = cache
        return dout * mask if param["mode"] == "train" else dout
