# verdict:
# why = "an object holds t, which is an output"
#: note, optional
class Simple:
    def __init__(self, a, b):
        self.a, self.b = a, b
        self.t = Variable(a.value + b.value)
        self.r = Variable(self.t.value * b.value)

    def propagate(self, dL_doutputs):
        dL_dr, dL_dt = dL_doutputs
        dL_db = None
        if dL_dr is not None:
            dL_dt = add_optional(dL_dt, dL_dr * self.b)
            dL_db = dL_dr * self.t
        return [dL_dt, add_optional(dL_db, dL_dt)]


def simple_variable(a, b):
    op = Simple(a, b)
    gradient_tape.append(TapeEntry([a.name, b.name], [op.r.name, op.t.name], op.propagate))
    return op.r
