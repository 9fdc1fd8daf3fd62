# verdict:
# failed = "second-order wrong-second-order @A a, second-order wrong-second-order @N5 b"
# why = "propagate calculates on tensors: right once, and not on the tape"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable(dL_dr.value * rhs.value), Variable(dL_dr.value * self.value)]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
