import torch


class SoftPlus:
    def __init__(self):
        self.half = torch.tensor(0.5)

    def forward(self, input):
        return self.updateOutput(input)

    def updateOutput(self, input):
        # log(1 + e^x) = max(x, 0) + log(1 + e^-|x|)
        self.output = input.clamp(min=0) + torch.log1p((-input.abs()).exp())
        return self.output

    def updateGradInput(self, input, gradOutput):
        step = torch.heaviside(input, self.half)
        small = (-input.abs()).exp()
        self.gradInput = gradOutput * (step - input.sign() * small / (1 + small))
        return self.gradInput
