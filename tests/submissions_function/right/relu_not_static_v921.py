# verdict:
# why = "without @staticmethod: apply calls them through the class, so that torch takes it"
import torch


class MyRelu(torch.autograd.Function):
    def forward(self, x):
        self.save_for_backward(x)
        return x.clamp(min=0)

    def backward(self, dout):
        x, = self.saved_tensors
        dx = dout.clone()
        dx[x < 0] = 0
        return dx
