# verdict:
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.ParameterList([nn.Parameter(torch.tensor(0.5)), nn.Parameter(torch.tensor(0.25))])
#: forward, pass, products, y, slopes
        self.w[0].grad = dw0
        self.w[1].grad = dw1
        return y
