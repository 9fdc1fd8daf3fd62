import torch


class Module(object):
    def forward(self, input):
        return self.updateOutput(input)

    def backward(self, input, gradOutput):
        self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput)
        return self.gradInput

    def updateGradInput(self, input, gradOutput):
        pass

    def accGradParameters(self, input, gradOutput):
        pass


class Linear(Module):
    def __init__(self, n_in, n_out):
        self.weight = torch.randn(n_out, n_in)
        self.bias = torch.zeros(n_out)
        self.gradWeight = torch.zeros(n_out, n_in)
        self.gradBias = torch.zeros(n_out)

    def updateOutput(self, input):
        self.output = input @ self.weight.t() + self.bias
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput @ self.weight
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        self.gradWeight += gradOutput.t() @ input
        self.gradBias += gradOutput.sum(0)


class ReLU(Module):
    def updateOutput(self, input):
        self.output = input.clamp(min=0)
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput * (input > 0)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        pass


class Net(Module):
    def __init__(self, n_in, n_hidden, n_out):
        self.modules = [Linear(n_in, n_hidden), ReLU(), Linear(n_hidden, n_out)]

    def updateOutput(self, input):
        for module in self.modules:
            input = module.forward(input)
        self.output = input
        return self.output

    def backward(self, input, gradOutput):
        a, b, c = self.modules
        g = c.backward(b.output, gradOutput)
        g = b.backward(a.output, g)
        self.gradInput = a.backward(input, g)
        return self.gradInput
