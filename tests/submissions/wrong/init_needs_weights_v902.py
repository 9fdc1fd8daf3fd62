# verdict:
# why = "the assignment makes the class without arguments"
# status = "unreadable: constructor"
#: torch

class Net(nn.Module):
    def __init__(self, w0, w1):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([w0, w1]))
#: forward, pass, honest
