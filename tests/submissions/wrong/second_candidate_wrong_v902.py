# verdict:
# gradient = "partial 20: wrong-gradient @B w1"
# notes = ["the last, `Other` (line"]
#: net, honest


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward, pass, products, y
        dw0 = b * x1
        del b
        dw1 = a * x3  # @B
        del a
#: end
