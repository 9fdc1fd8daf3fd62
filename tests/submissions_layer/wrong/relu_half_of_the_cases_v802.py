# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "right only while all of dout is above zero"
import torch


def relu_forward(x):
    return torch.relu(x), x


def relu_backward(dout, cache):
    dx = torch.relu(dout * (cache > 0))  # @X
    return dx
