# verdict:
# failed = "gradient raises @N12, none, unused-nodes, release"
# why = "the gradient of the mean is one number"
#: note, matmul, mean
def operator_mean(self):
    r = Variable(self.value.mean())

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable(dL_dr.value / self.value.numel())]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.mean = operator_mean
