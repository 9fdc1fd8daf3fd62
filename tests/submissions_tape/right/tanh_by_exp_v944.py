# verdict:
# why = "tanh from the exponential"
#: note, minus, div, exp, log, tanh
def operator_tanh(self):
    e = torch.exp(2 * self.value)
    y = (e - 1) / (e + 1)
    r = Variable(y)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr - dL_dr * r * r]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.tanh = operator_tanh
