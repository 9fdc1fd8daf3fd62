# verdict:
# why = "two lambdas"
import torch
relu_forward = lambda x: (torch.relu(x), x)
relu_backward = lambda dout, x: dout * (x > 0)
