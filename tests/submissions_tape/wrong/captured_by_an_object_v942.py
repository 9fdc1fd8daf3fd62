# verdict:
# second-order = "partial 10: wrong-second-order @A b"
# why = "t hangs from an operation of the student's, and is no output"
#: note
class Simple:
    def __init__(self, a, b):
        self.a, self.b = a, b
        self.t = Variable(a.value + b.value)
        self.r = Variable(self.t.value * b.value)

    def propagate(self, dL_doutputs):
        dL_dr, = dL_doutputs
        dL_dt = dL_dr * self.b
        return [dL_dt, dL_dt + dL_dr * self.t]  # @A


def simple_variable(a, b):
    op = Simple(a, b)
    gradient_tape.append(TapeEntry([a.name, b.name], [op.r.name], op.propagate))
    return op.r
