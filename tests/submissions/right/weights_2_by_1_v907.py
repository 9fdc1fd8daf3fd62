# verdict:
# why = "each weight, and so y, has shape [1]"
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[0.5], [0.25]]))
#: forward, pass, honest
