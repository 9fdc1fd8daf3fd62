# verdict:
# status = "unreadable: load-error @A"
# why = "the result has the name of the function"
import torch

x = torch.tensor(3.0, requires_grad=True)
y1, y2 = x + 1, 2 * x
gradients = torch.autograd.grad((y1 - y2) ** 2, [y1, y2])  # @A
