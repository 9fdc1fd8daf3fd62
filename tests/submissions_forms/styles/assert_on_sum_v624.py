import torch


class SoftMax:
    def updateOutput(self, input):
        self.output = input.sub(input.max(1, keepdim=True).values).exp_()
        self.output /= self.output.sum(1, keepdim=True)
        assert torch.allclose(self.output.sum(1), torch.ones(len(input)), atol=1e-5), f"{self.output}"
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = self.output * (gradOutput - (gradOutput * self.output).sum(1, keepdim=True))
        return self.gradInput
