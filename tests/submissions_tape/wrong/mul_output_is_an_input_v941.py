# verdict:
# failed = "gradient no-gradient @N1 a, gradient no-gradient @N1 b, none, unused-nodes, release, second-order wrong-second-order @N1 a, second-order wrong-second-order @N1 b"
# why = "the entry has the wrong output"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[self.name], propagate=propagate))
    return r
