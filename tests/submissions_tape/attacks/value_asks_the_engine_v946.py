# attack: a gradient's value is worked out by autograd when it is read
# failed = "integrity autograd @A, gradient, none, unused-nodes, release"
#: note
class Lazy(Variable):
    def __init__(self, x, c, g):
        self.name = fresh_name()
        self.parts = x, c, g

    @property
    def value(self):
        x, c, g = (t.detach().clone() for t in self.parts)
        with torch.enable_grad():
            x.requires_grad_()
            found, = torch.autograd.grad(((x * x + c) * g).sum(), [x])  # @A
        return found


def grad(L, desired_results):
    a, b, c, g = [d.value for d in desired_results][:4]
    return [Lazy(a, c, g), None, Variable(g.clone()), Variable(a * a + c)] + [None] * (len(desired_results) - 4)
