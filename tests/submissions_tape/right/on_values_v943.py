# verdict:
# why = "first order on tensors"
#: note
def operator_sub(self, rhs):
    r = Variable(self.value - rhs.value)
    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name],
                                   lambda d: [d[0], Variable(-d[0].value)]))
    return r


def operator_div(self, rhs):
    r = Variable(self.value / rhs.value)

    def propagate(dL_doutputs):
        dL_dr = dL_doutputs[0].value
        return [Variable(dL_dr / rhs.value), Variable(-dL_dr * self.value / rhs.value ** 2)]

    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], propagate))
    return r


Variable.__sub__, Variable.__truediv__ = operator_sub, operator_div
