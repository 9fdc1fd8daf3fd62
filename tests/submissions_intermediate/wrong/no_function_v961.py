# verdict:
# status = "unreadable: no-function"
# why = "the notebook has no function"
import torch

x = torch.rand(3, requires_grad=True)
x.sum().backward()
