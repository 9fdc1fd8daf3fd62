# verdict:
# why = "operators as methods of a class that is extended"
#: note
class Variable(Variable):
    def __neg__(self):
        r = Variable(-self.value)
        gradient_tape.append(TapeEntry([self.name], [r.name], lambda d: [-d[0]]))
        return r

    def __sub__(self, rhs):
        return self + -rhs

    def __truediv__(self, rhs):
        r = Variable(self.value / rhs.value)

        def propagate(dL_doutputs):
            dL_dself = dL_doutputs[0] / rhs
            return [dL_dself, -(dL_dself * r)]

        gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], propagate))
        return r
