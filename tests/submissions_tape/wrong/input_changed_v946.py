# verdict:
# failed = "integrity input-changed @A a, integrity input-changed @A grad_output, gradient, none, unused-nodes, release"
# why = "squares in place"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    x, y = self.value.clone(), rhs.value.clone()
    r = Variable(self.value.mul_(rhs.value))  # @A

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable(dL_dr.value * y), Variable(dL_dr.value * x)]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
