# verdict:
# why = "without prints, and without type annotations"
#: variable, tape, grad, sum, expand
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)
    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], lambda d: [d[0] * rhs, d[0] * self]))
    return r


def operator_add(self, rhs):
    r = Variable(self.value + rhs.value)
    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], lambda d: [d[0], d[0]]))
    return r
