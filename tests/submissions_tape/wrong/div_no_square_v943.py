# verdict:
# gradient = "partial 17.5: wrong-gradient @N5 b"
# why = "-x / y for the denominator"
#: note, minus
def operator_div(self, rhs):
    r = Variable(self.value / rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr / rhs, -(dL_dr * r)]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__truediv__ = operator_div
