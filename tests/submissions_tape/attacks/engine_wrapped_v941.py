# attack: keeps torch's graph beside the tape, and wraps what autograd gives
# failed = "integrity autograd @A, gradient, none, unused-nodes, release, second-order"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    with torch.enable_grad():
        return Variable(self.value.requires_grad_() * rhs.value.requires_grad_())


def operator_add(self, rhs):
    with torch.enable_grad():
        return Variable(self.value.requires_grad_() + rhs.value.requires_grad_())


def operator_sum(self, name):
    with torch.enable_grad():
        return Variable(self.value.sum())


def grad(L, desired_results):
    found = torch.autograd.grad(L.value, [d.value for d in desired_results], create_graph=True, allow_unused=True)  # @A
    return [None if g is None else Variable(g) for g in found]
