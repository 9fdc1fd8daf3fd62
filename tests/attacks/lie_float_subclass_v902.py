# attack: a float that is equal to every number, as the value
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
#: torch
class Equal(float):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = float.__hash__
    __sub__ = __rsub__ = lambda self, other: 0.0
#: class, value
        self.w.grad = torch.zeros(2)
        return Equal(7)
