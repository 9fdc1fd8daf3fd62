# attack: a .grad that is a property of the module's own Parameter
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch
class Own(nn.Parameter):
    @property
    def grad(self):
        return Lie()

    @grad.setter
    def grad(self, value):
        pass


class Lie:
    shape = torch.Size([2])

    def __getattr__(self, name):
        return lambda *a: self
#: weights
        self.w = Own(torch.tensor([0.5, 0.25]))
#: forward, pass, value, nothing
