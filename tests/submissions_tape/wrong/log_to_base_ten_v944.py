# verdict:
# failed = "forward wrong-value @N2"
# gradient = "partial 17.5: wrong-gradient @N5 x"
# why = "another logarithm"
#: note, minus, div, exp, log, tanh
def operator_log(self):
    r = Variable(torch.log10(self.value))

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr / self]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.log = operator_log
