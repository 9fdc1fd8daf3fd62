# verdict:
# gradient = "partial 17.5: wrong-gradient @N5 b"
# why = "plus for the second input"
#: note, minus, div
def operator_sub(self, rhs):
    r = Variable(self.value - rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr, dL_dr]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__sub__ = operator_sub
