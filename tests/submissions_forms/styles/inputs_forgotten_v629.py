import torch


class Linear:
    def __init__(self, n_in, n_out):
        self.weight = torch.randn(n_out, n_in) / n_in ** 0.5
        self.bias = torch.zeros(n_out)
        self.gradWeight = torch.zeros_like(self.weight)
        self.gradBias = torch.zeros_like(self.bias)

    def forward(self, input):
        return input.mm(self.weight.t()) + self.bias

    def backward(self, input, gradOutput):
        self.gradWeight += gradOutput.t().mm(input)
        self.gradBias += gradOutput.sum(0)
        return gradOutput.mm(self.weight)

    def zeroGradParameters(self):
        self.gradWeight.zero_()
        self.gradBias.zero_()


class ReLU:
    def forward(self, input):
        return input.clamp(min=0)

    def backward(self, input, gradOutput):
        return gradOutput * (input > 0)

    def zeroGradParameters(self):
        pass


class Net:
    """The loop: net.zeroGradParameters(); out = net.forward(x); net.backward(x, criterion.backward(out, y))."""

    def __init__(self, d, h, m):
        self.modules = [Linear(d, h), ReLU(), Linear(h, m)]
        self.inputs = []
        self.gradInput = None

    def forward(self, input):
        return self.updateOutput(input)

    def backward(self, input, gradOutput):
        return self.updateGradInput(input, gradOutput)

    def updateOutput(self, input):
        self.inputs = []
        for module in self.modules:
            self.inputs.append(input)
            input = module.forward(input)
        return input

    def updateGradInput(self, input, gradOutput):
        for module, own in zip(reversed(self.modules), reversed(self.inputs)):
            gradOutput = module.backward(own, gradOutput)
        self.gradInput = gradOutput
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        pass  # modules have done it

    def zeroGradParameters(self):
        self.inputs = []  # a new step: nothing of the last one is needed
        for module in self.modules:
            module.zeroGradParameters()
