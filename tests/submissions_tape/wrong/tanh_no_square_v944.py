# verdict:
# gradient = "partial 17.5: wrong-gradient @N5 x"
# why = "1 - y"
#: note, minus, div, exp, log, tanh
def operator_tanh(self):
    r = Variable(torch.tanh(self.value))

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr - dL_dr * r]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.tanh = operator_tanh
