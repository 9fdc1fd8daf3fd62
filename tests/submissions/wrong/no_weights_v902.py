# verdict:
# status = "unreadable: no-weights"
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(5))
#: forward, pass, honest
