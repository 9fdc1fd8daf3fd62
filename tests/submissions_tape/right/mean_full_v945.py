# verdict:
# why = "a tensor filled with 1 / n"
#: note, matmul
def operator_mean(self):
    r = Variable(self.value.mean())

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable(torch.full(self.value.shape, 1.0 / self.value.numel()) * dL_dr.value)]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.mean = operator_mean
