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

    def updateOutput(self, input):
        pass

    def updateGradInput(self, input, gradOutput):
        pass

    def accGradParameters(self, input, gradOutput):
        pass

    def zeroGradParameters(self):
        pass


class Sequential(Module):
    def __init__(self):
        super(Sequential, self).__init__()
        self.modules = []

    def add(self, module):
        self.modules.append(module)

    def updateOutput(self, input):
        self.inputs = []
        for module in self.modules:
            self.inputs.append(input)
            input = module.forward(input)
        self.output = input
        return self.output

    def updateGradInput(self, input, gradOutput):
        for module, own in zip(self.modules[::-1], self.inputs[::-1]):
            gradOutput = module.backward(own, gradOutput)
        self.gradInput = gradOutput
        return self.gradInput

    def zeroGradParameters(self):
        for module in self.modules:
            module.zeroGradParameters()


class Linear(Module):
    def __init__(self, n_in, n_out):
        super(Linear, self).__init__()
        self.weight = torch.randn(n_out, n_in) / n_in ** 0.5
        self.bias = torch.zeros(n_out)
        self.gradWeight = torch.zeros(n_out, n_in)
        self.gradBias = torch.zeros(n_out)

    def updateOutput(self, input):
        self.output = input.mm(self.weight.t()).add(self.bias)
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput.mm(self.weight)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        self.gradWeight.add_(gradOutput.t().mm(input))
        self.gradBias.add_(gradOutput.sum(0))

    def zeroGradParameters(self):
        self.gradWeight.zero_()
        self.gradBias.zero_()


class ReLU(Module):
    def updateOutput(self, input):
        self.output = input.clamp(min=0)
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput * (input > 0).to(input.dtype)
        return self.gradInput


class Net(Sequential):
    def __init__(self, n_in, n_hidden, n_out):
        super(Net, self).__init__()
        self.add(Linear(n_in, n_hidden))
        self.add(ReLU())
        self.add(Linear(n_hidden, n_out))
