# verdict:
# failed = "second-order wrong-second-order @A a, second-order wrong-second-order @N5 b"
# why = "captures Variables made anew of the values"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    x, y = Variable(self.value.clone()), Variable(rhs.value.clone())
    r = Variable(x.value * y.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * y, dL_dr * x]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
