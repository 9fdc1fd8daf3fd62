import torch


class ReLU:
    DEBUG = False

    def forward(self, input):
        return self.updateOutput(input)

    def updateOutput(self, input):
        self.output = input.relu()
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput * (self.output != 0)
        if self.DEBUG:
            self.check_gradient(input, gradOutput)
        return self.gradInput

    def check_gradient(self, input, gradOutput, h=1e-3):
        """Against central differences."""
        ahead, behind = self.updateOutput(input + h), self.updateOutput(input - h)
        numeric = gradOutput * (ahead - behind) / (2 * h)
        print("greatest difference", (numeric - self.gradInput).abs().max().item())


if __name__ == "__main__":
    x = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
    layer = ReLU()
    layer.forward(x.detach())
    y = x.relu()
    y.backward(torch.ones_like(y))
    assert torch.allclose(x.grad, layer.updateGradInput(x.detach(), torch.ones(5, 3, dtype=torch.float64)))
    layer.check_gradient(x.detach(), torch.ones(5, 3, dtype=torch.float64))
