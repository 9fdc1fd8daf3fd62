# attack: loops without end while its class is made
# status = "timeout"
#: torch

class Net(nn.Module):
    while True:
        pass

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward, pass, value
        return y
