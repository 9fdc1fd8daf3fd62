import torch


class Dropout:
    """Keeps its last mask; train() and eval() as torch has them."""

    def __init__(self):
        self.training = True
        self.mask = None
        self.steps = 0

    def train(self, mode=True):
        self.training = mode
        return self

    def eval(self):
        return self.train(False)

    def forward(self, x, dropout_param):
        self.train(dropout_param["mode"] == "train")
        self.steps += 1
        if not self.training:
            self.mask = None
            return x.clone(), dropout_param
        p = dropout_param["p"]
        torch.manual_seed(dropout_param.get("seed", self.steps))
        self.mask = torch.rand(x.shape) > p
        return x * self.mask / (1 - p), dropout_param

    def backward(self, dout, dropout_param):
        if self.mask is None:
            return dout.clone()
        return dout * self.mask / (1 - dropout_param["p"])
