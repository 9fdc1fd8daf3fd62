# attack: each propagate asks torch's engine
# failed = "integrity autograd @A, gradient, none, unused-nodes, release, second-order"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        with torch.enable_grad():
            x = self.value.detach().clone().requires_grad_()
            y = rhs.value.detach().clone().requires_grad_()
            return [Variable(g) for g in torch.autograd.grad(x * y, [x, y], dL_doutputs[0].value)]  # @A

    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], propagate))
    return r
