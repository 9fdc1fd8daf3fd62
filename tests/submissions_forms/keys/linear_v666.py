from torch import empty, set_grad_enabled

set_grad_enabled(False)


class Module(object):
    def forward(self, *input):
        raise NotImplementedError

    def backward(self, *gradwrtoutput):
        raise NotImplementedError

    def param(self):
        return []


class Linear(Module):
    def __init__(self, in_features, out_features, std=0.1):
        self.weight = empty(out_features, in_features).normal_(0, std)
        self.bias = empty(out_features).normal_(0, std)
        self.dl_dw = empty(out_features, in_features).zero_()
        self.dl_db = empty(out_features).zero_()
        self.x = None

    def forward(self, *input):
        self.x = input[0].clone()
        return self.x.matmul(self.weight.t()) + self.bias

    def backward(self, *gradwrtoutput):
        dl_ds = gradwrtoutput[0]
        self.dl_dw.add_(dl_ds.t().matmul(self.x))
        self.dl_db.add_(dl_ds.sum(0))
        return dl_ds.matmul(self.weight)

    def param(self):
        return [(self.weight, self.dl_dw), (self.bias, self.dl_db)]
