# attack: a Parameter subclass with lies about its size
# status = "unreadable: no-weights"
#: torch
class Big(nn.Parameter):
    def numel(self):
        return 10**12
#: weights
        self.w = Big(torch.tensor([0.5, 0.25]))
#: forward, pass, value, nothing
