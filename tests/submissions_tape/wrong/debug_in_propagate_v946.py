# verdict:
# unused-nodes = "partial 12: unused-node @A, unused-node @A size"
# why = "a norm that nobody reads"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        size = (dL_dr.value * dL_dr.value).sum()  # @A
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
