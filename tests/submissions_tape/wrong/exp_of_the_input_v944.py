# verdict:
# gradient = "partial 17.5: wrong-gradient @N5 x"
# why = "dL * x"
#: note, minus, div, exp, log, tanh
def operator_exp(self):
    r = Variable(torch.exp(self.value))

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.exp = operator_exp
