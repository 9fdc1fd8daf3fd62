import torch


class Linear:
    def __init__(self, n_in, n_out):
        self.w, self.b = torch.randn(n_out, n_in), torch.zeros(n_out)
        self.dw, self.db = torch.zeros(n_out, n_in), torch.zeros(n_out)

    @torch.inference_mode()
    def forward(self, *input):
        self.x = input[0]
        return torch.addmm(self.b, self.x, self.w.t())

    @torch.inference_mode()
    def backward(self, *gradwrtoutput):
        g = gradwrtoutput[0]
        self.dw = g.t().mm(self.x)
        self.db = g.sum(0)
        return g.mm(self.w)

    def param(self):
        return [(self.w, self.dw), (self.b, self.db)]
