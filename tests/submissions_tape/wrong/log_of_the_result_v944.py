# verdict:
# gradient = "partial 17.5: wrong-gradient @N11 y"
# why = "dL / log(x)"
#: note, minus, div, exp, log, tanh
def operator_log(self):
    r = Variable(torch.log(self.value))

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr / r]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.log = operator_log
