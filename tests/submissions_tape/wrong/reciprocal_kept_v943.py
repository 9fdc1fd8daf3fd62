# verdict:
# failed = "forward wrong-value @A, gradient wrong-gradient @A a, gradient wrong-gradient @N5 b"
# why = "a cache of reciprocals"
#: note, minus
reciprocals = {}


def operator_div(self, rhs):
    if rhs.name not in reciprocals:
        reciprocals[rhs.name] = 1.0 / rhs.value
    r = Variable(self.value * reciprocals[rhs.name])  # @A

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        dL_dself = dL_dr / rhs
        return [dL_dself, -(dL_dself * r)]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__truediv__ = operator_div
