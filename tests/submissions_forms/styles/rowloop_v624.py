import torch


class Module(object):
    """Basic building block"""

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

    def updateOutput(self, input):
        pass

    def updateGradInput(self, input, gradOutput):
        pass

    def accGradParameters(self, input, gradOutput):
        pass

    def zeroGradParameters(self):
        pass

    def __repr__(self):
        return "Module"


class SoftMax(Module):
    def __init__(self):
        super(SoftMax, self).__init__()

    def updateOutput(self, input):
        self.output = input.clone()
        # start with normalization for numerical stability
        self.output -= self.output.max(dim=1).values[:, None]
        self.output = torch.exp(self.output)
        for i in range(self.output.size(0)):
            self.output[i] /= self.output[i].sum()
        return self.output

    def updateGradInput(self, input, gradOutput):
        batch_size, n_feats = input.size()
        self.gradInput = torch.zeros_like(input)
        for b in range(batch_size):
            s = self.output[b]
            for i in range(n_feats):
                for j in range(n_feats):
                    if i == j:
                        dsj_dxi = s[i] * (1 - s[i])
                    else:
                        dsj_dxi = -s[i] * s[j]
                    self.gradInput[b, i] += gradOutput[b, j] * dsj_dxi
        return self.gradInput

    def __repr__(self):
        return "SoftMax"
