#= weights


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25, 0.75]))
#= forward

    def forward(self, x1, x2):
        w0, w1, w2 = self.w
        return w0 * x1 + w1 * w2 * x2
#= pass

    def my_forward_backward(self, x1, x2):
