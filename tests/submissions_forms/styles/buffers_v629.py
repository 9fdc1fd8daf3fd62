import torch


class Module(object):
    def __init__(self):
        self.output = torch.empty(0)
        self.gradInput = torch.empty(0)

    def forward(self, input):
        return self.updateOutput(input)

    def backward(self, input, gradOutput):
        self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput)
        return self.gradInput

    def accGradParameters(self, input, gradOutput): pass
    def zeroGradParameters(self): pass


class Linear(Module):
    def __init__(self, nin, nout):
        super().__init__()
        stdv = 1. / nin ** 0.5
        self.weight = torch.empty(nout, nin).uniform_(-stdv, stdv)
        self.bias = torch.empty(nout).uniform_(-stdv, stdv)
        self.gradWeight = torch.zeros(nout, nin)
        self.gradBias = torch.zeros(nout)

    def updateOutput(self, input):
        # like Linear.lua: start from the bias, then add the product in place
        self.output = self.bias.expand(input.size(0), -1).clone()
        self.output.addmm_(input, self.weight.t())
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = torch.zeros_like(input)
        self.gradInput.addmm_(gradOutput, self.weight)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        self.gradWeight.addmm_(gradOutput.t(), input)
        self.gradBias.addmv_(gradOutput.t(), gradOutput.new_ones(gradOutput.size(0)))

    def zeroGradParameters(self):
        self.gradWeight.fill_(0)
        self.gradBias.fill_(0)


class Threshold(Module):
    def updateOutput(self, input):
        self.output = input.clone()
        self.output[self.output < 0] = 0
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput.clone()
        self.gradInput[input <= 0] = 0
        return self.gradInput


class Net(Module):
    def __init__(self, nin, nhidden, nout):
        super().__init__()
        self.modules = [Linear(nin, nhidden), Threshold(), Linear(nhidden, nout)]

    def updateOutput(self, input):
        for m in self.modules:
            input = m.forward(input)
        self.output = input
        return self.output

    def updateGradInput(self, input, gradOutput):
        # the input of module i is the output of module i - 1
        for i in range(len(self.modules) - 1, 0, -1):
            gradOutput = self.modules[i].backward(self.modules[i - 1].output, gradOutput)
        self.gradInput = self.modules[0].backward(input, gradOutput)
        return self.gradInput

    def zeroGradParameters(self):
        for m in self.modules: m.zeroGradParameters()
