# attack: a value whose class has no end
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
#: torch
class Endless:
    def __repr__(self):
        while True:
            pass

    __str__ = __repr__
#: class, value
        self.w.grad = torch.zeros(2)
        return Endless()
