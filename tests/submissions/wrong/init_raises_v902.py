# verdict:
# status = "unreadable: constructor @C"
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(undefined))  # @C
#: forward, pass, honest
