# verdict:
# why = "a peephole for a * a"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)
    if self is rhs:
        gradient_tape.append(TapeEntry([self.name], [r.name], lambda d: [d[0] * self + d[0] * self]))
        return r

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
