# attack: hostile text as an exception's message while the class is made
# status = "unreadable: load-error"
#: torch, hostile


class Net(nn.Module):
    raise ValueError(HOSTILE * 1000)

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward, pass, value
        return y
