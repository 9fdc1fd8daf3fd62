# attack: leaves while its class is made
# status = "crashed"
import os

#: torch

class Net(nn.Module):
    os._exit(0)

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward, pass, value
        return y
