# verdict:
# why = "functions of other names, named as asked for below"
import torch
def my_relu(x):
    return torch.relu(x), (x,)
def my_relu_back(dout, cache):
    x, = cache
    return dout * (x > 0).type_as(dout)
relu_forward, relu_backward = my_relu, my_relu_back
