# verdict:
# why = "the mean is a sum that is scaled"
#: note, matmul
def operator_mean(self):
    n = self.value.numel()
    r = Variable(self.value.sum() / n)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable((dL_dr.value / n).expand(self.value.shape))]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.mean = operator_mean
