# verdict:
# why = "the gradient is by hand, and counts"
# failed = "manual-forward calls-forward @P"
#: torch


class Model(nn.Module):
#: forward


class Net(Model):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, *inputs):
        return super().forward(*inputs)

    def my_forward_backward(self, x1, x2, x3):  # @P
#: products
        y = super().forward(x1, x2, x3)
#: slopes, end
