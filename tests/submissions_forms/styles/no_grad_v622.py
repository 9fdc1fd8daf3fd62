import torch


class ReLU:
    @torch.no_grad()
    def updateOutput(self, input):
        self.output = input.clamp(min=0)
        return self.output

    @torch.no_grad()
    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput * (input > 0)
        return self.gradInput
