import torch


class Dropout(object):
    @staticmethod
    def forward(x, dropout_param):
        """
        dropout_param: dict with
          - p: probability of dropping a neuron output
          - mode: 'train' or 'test'
          - seed: for gradient checking
        The cache has the places of the survivors, in the flattened tensor.
        """
        p, mode = dropout_param["p"], dropout_param["mode"]
        if "seed" in dropout_param:
            torch.manual_seed(dropout_param["seed"])

        if mode == "test":
            return x, {"mode": mode}

        rnd = torch.rand(x.shape)
        survivors = torch.nonzero(rnd.flatten() > p).squeeze(1)
        flat = x.reshape(-1)
        out = torch.zeros_like(flat)
        out[survivors] = flat[survivors] / (1 - p)
        return out.view(x.shape), {"mode": mode, "survivors": survivors, "scale": 1 - p}

    @staticmethod
    def backward(dout, cache):
        if cache["mode"] == "test":
            return dout
        where = cache["survivors"]
        dx = torch.zeros(dout.numel(), dtype=dout.dtype)
        dx.index_copy_(0, where, dout.reshape(-1).index_select(0, where) / cache["scale"])
        return dx.view_as(dout)
