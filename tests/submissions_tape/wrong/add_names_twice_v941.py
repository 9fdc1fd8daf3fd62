# verdict:
# failed = "gradient wrong-gradient @N5 a, gradient wrong-gradient @N6 b, second-order wrong-second-order @N5 a, second-order wrong-second-order @N6 b"
# why = "both inputs are self"
#: note
def operator_add(self, rhs):
    r = Variable(self.value + rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr, dL_dr]

    gradient_tape.append(TapeEntry(inputs=[self.name, self.name], outputs=[r.name], propagate=propagate))
    return r
