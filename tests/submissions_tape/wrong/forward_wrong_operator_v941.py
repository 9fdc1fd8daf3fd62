# verdict:
# failed = "forward wrong-value @A, gradient wrong-gradient @B a, gradient wrong-gradient @N5 b, second-order wrong-second-order @B a, second-order wrong-second-order @N5 b"
# why = "mul adds"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value + rhs.value)  # @A

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]  # @B

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
