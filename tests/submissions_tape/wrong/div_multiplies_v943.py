# verdict:
# failed = "gradient wrong-gradient @A a, gradient wrong-gradient @N5 b"
# why = "the numerator gets dL * y"
#: note, minus
def operator_div(self, rhs):
    r = Variable(self.value / rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, -(dL_dr / rhs * r)]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__truediv__ = operator_div
