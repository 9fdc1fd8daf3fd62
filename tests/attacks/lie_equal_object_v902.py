# attack: an object that is equal to everything, as the value
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
#: torch
class Equal:
    def __getattr__(self, name):
        return lambda *a, **k: self

    def __eq__(self, other):
        return True

    def __float__(self):
        return 1.0
#: class, value
        self.w.grad = torch.zeros(2)
        return Equal()
