# verdict:
# failed = "gradient wrong-gradient @A a, gradient wrong-gradient @N5 b, second-order wrong-second-order @A a, second-order wrong-second-order @N5 b"
# why = "each factor gets its own value as partial"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * self, dL_dr * rhs]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
