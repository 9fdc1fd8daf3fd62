# verdict:
# gradient = "partial 17.5: wrong-gradient @N5 b"
# why = "the minus is forgotten"
#: note, minus
def operator_div(self, rhs):
    r = Variable(self.value / rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        dL_dself = dL_dr / rhs
        return [dL_dself, dL_dself * r]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__truediv__ = operator_div
