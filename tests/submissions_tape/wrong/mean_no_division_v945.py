# verdict:
# failed = "gradient wrong-gradient @N12 x, gradient wrong-gradient @N13 w"
# why = "as the sum"
#: note, matmul, mean
def operator_mean(self):
    r = Variable(self.value.mean())

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr.expand(*self.value.size())]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.mean = operator_mean
