# verdict:
# failed = "integrity transform @A, gradient, unused-nodes"
# why = "torch.nn.grad"
import torch
import torch.nn.functional as F


class Conv:
    @staticmethod
    def forward(x, w, b):
        return F.conv2d(x, w, b, stride=2, padding=1), (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dx = torch.nn.grad.conv2d_input(x.shape, w, dout, stride=2, padding=1)  # @A
        dw = torch.nn.grad.conv2d_weight(x, w.shape, dout, stride=2, padding=1)
        return dx, dw, dout.sum((0, 2, 3))
