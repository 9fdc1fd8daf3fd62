# verdict:
# failed = "second-order hidden-output @A a, second-order hidden-output @A b"
# why = "captures Variables made anew of the values"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    x, y = Variable(self.value.clone()), Variable(rhs.value.clone())  # @A
    r = Variable(x.value * y.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * y, dL_dr * x]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
