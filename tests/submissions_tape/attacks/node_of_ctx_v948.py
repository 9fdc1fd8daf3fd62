# attack: propagate calls a node of autograd's graph, a neighbour of a Function of its own
# failed = "integrity autograd @A, gradient, none, unused-nodes, release, second-order"
#: note
class Tap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y):
        TAP.append(ctx)
        return y.view_as(y)
TAP = []


def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    with torch.enable_grad():
        u, v = self.value.detach().requires_grad_(), rhs.value.detach().requires_grad_()
        made = u * v
        Tap.apply(made)
    node = TAP.pop().next_functions[0][0]
    r = Variable(made.detach())

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        one, two = node(dL_dr.value)  # @A
        return [Variable(one), Variable(two)]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
