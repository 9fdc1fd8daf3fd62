import torch


class Module(object):
    def __init__(self):
        self.output = None
        self.gradInput = None
        self.training = True

    def forward(self, input):
        return self.updateOutput(input)

    def backward(self, input, gradOutput):
        self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        pass

    def zeroGradParameters(self):
        pass


class SoftMax(Module):
    def updateOutput(self, input):
        exps = torch.exp(input - torch.amax(input, 1, keepdim=True))
        self.output = exps.div(exps.sum(1).unsqueeze(1))
        return self.output

    def updateGradInput(self, input, gradOutput):
        p = self.output
        # Jacobian of every row: diag(p) - p p^T, shape (batch, classes, classes)
        diagonal = torch.diag_embed(p)
        outer = torch.bmm(p.unsqueeze(2), p.unsqueeze(1))
        jacobian = diagonal - outer
        self.gradInput = torch.bmm(jacobian, gradOutput.unsqueeze(2)).squeeze(2)
        return self.gradInput
