# verdict:
# why = "propagate is a functools.partial"
#: note
from functools import partial


def propagate_mul(x, y, dL_doutputs):
    return [dL_doutputs[0] * y, dL_doutputs[0] * x]


def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)
    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], partial(propagate_mul, self, rhs)))
    return r
