import torch


class Dropout:
    @staticmethod
    def forward(x, mask, p):
        assert 0 <= p < 1, "p is a probability"
        assert set(mask.unique().tolist()) <= {0, 1}
        scale = torch.tensor(1.0).div(1 - p)
        return torch.where(mask != 0, x * scale, torch.zeros(())), (mask.bool(), scale)

    @staticmethod
    def backward(dout, cache):
        mask, scale = cache
        return (dout * scale).masked_fill(~mask, 0)
