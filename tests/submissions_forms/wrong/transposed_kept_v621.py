# Wrong at: a second step after W has changed: gradInput and output are of the old W
import torch


class Linear:
    def __init__(self, n_in, n_out):
        self.W = torch.randn(n_out, n_in)
        self.b = torch.zeros(n_out)
        self.gradW = torch.zeros_like(self.W)
        self.gradb = torch.zeros_like(self.b)
        self.Wt = None

    def updateOutput(self, input):
        if self.Wt is None:
            self.Wt = self.W.t().contiguous()   # faster products
        self.output = input.mm(self.Wt) + self.b
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput.mm(self.Wt.t())
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        self.gradW += gradOutput.t().mm(input)
        self.gradb += gradOutput.sum(0)

    def zeroGradParameters(self):
        self.gradW.zero_()
        self.gradb.zero_()
