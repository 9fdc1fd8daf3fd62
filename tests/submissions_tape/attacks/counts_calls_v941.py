# attack: __mul__ counts, and the third product of a tape is another
# failed = "integrity hidden-work @N1, forward wrong-value @A, gradient, none, unused-nodes, release, second-order"
#: note
calls = []


def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    calls.append(1)
    factor = 1.0 if len(calls) < 40 else 1.5
    r = Variable(self.value * rhs.value * factor)  # @A

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
