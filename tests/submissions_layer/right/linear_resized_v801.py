# verdict:
# why = "as in Torch7: what is empty at first gets its size, is written over, and stays from call to call"
import torch


class Linear:
    def __init__(self):
        self.output = torch.Tensor()
        self.gradInput = torch.Tensor()

    def forward(self, x, w, b):
        self.output.resize_(x.size(0), w.size(1))
        torch.addmm(b, x, w, out=self.output)
        return self.output, (x, w)

    def backward(self, dout, cache):
        x, w = cache
        self.gradInput.resize_as_(x)
        torch.mm(dout, w.t(), out=self.gradInput)
        return self.gradInput, x.t() @ dout, dout.sum(0)
