import torch
import torch.nn.functional as F


class SoftPlus:
    def updateOutput(self, input):
        self.output = F.softplus(input)
        return self.output

    def updateGradInput(self, input, gradOutput):
        # log sigmoid(x) = -softplus(-x)
        self.gradInput = gradOutput * torch.exp(-F.softplus(-input))
        return self.gradInput
