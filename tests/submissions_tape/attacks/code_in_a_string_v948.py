# attack: propagate is the text of a lambda
# failed = "integrity foreign-code @A, gradient, none, unused-nodes, release, second-order"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)
    rule = eval('lambda d, x, y: (d * y, d * x)')

    def propagate(dL_doutputs):
        return [Variable(g) for g in rule(dL_doutputs[0].value, self.value, rhs.value)]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
