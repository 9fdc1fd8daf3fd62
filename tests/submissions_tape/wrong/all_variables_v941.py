# verdict:
# failed = "release kept @A"
# why = "a list of all Variables that reset_tape forgets"
#: note
all_variables = []


def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)  # @A
    all_variables.append(r)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
