# verdict:
# release = "partial 12: late-release @C self.a, late-release @C self.b, late-release @D self.d, late-release @E self.m"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.a, self.b, self.d, self.m = [torch.empty(()) for _ in range(4)]
#: forward, pass
        w0, w1 = self.w
        torch.mul(w0, x1, out=self.a)
        torch.mul(w1, x2, out=self.b)
        torch.sub(self.a, self.b, out=self.d)  # @C
        y = torch.relu(self.d)
        self.m.copy_(self.d > 0)  # @D
        dw0 = self.m * x1
        dw1 = -self.m * x2  # @E
#: end
