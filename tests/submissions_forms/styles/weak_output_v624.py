import weakref

import torch


class SoftMax:
    """Whoever called it holds the output: here is a weak reference alone, so that memory is freed early."""

    def forward(self, input):
        return self.updateOutput(input)

    def updateOutput(self, input):
        e = (input - input.max(1, keepdim=True).values).exp()
        output = e / e.sum(1, keepdim=True)
        self._output = weakref.ref(output)
        return output

    @property
    def output(self):
        return self._output()

    def updateGradInput(self, input, gradOutput):
        s = self.output
        self.gradInput = s * (gradOutput - (s * gradOutput).sum(1, keepdim=True))
        return self.gradInput
