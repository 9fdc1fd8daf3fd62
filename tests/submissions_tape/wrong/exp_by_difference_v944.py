# verdict:
# failed = "integrity finite-differences @A, gradient, none, unused-nodes, release"
# why = "a small step"
#: note, minus, div, exp, log, tanh
def operator_exp(self):
    r = Variable(torch.exp(self.value))

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        h = 1e-2
        slope = (torch.exp(self.value + h) - torch.exp(self.value - h)) / (2 * h)  # @A
        return [Variable(dL_dr.value * slope)]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.exp = operator_exp
