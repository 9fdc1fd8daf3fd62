# verdict:
# why = "mul takes numbers, and scales by them"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, (int, float)):
        if rhs == 1:
            return self
        r = Variable(self.value * rhs)
        gradient_tape.append(TapeEntry([self.name], [r.name], lambda d: [d[0] * rhs]))
        return r
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
