# verdict:
# why = "mul and add sum over what was broadcast"
#: note
def unbroadcast(v, like):
    while v.value.dim() > like.value.dim():
        v = v.sum()
    return v


def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [unbroadcast(dL_dr * rhs, self), unbroadcast(dL_dr * self, rhs)]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
