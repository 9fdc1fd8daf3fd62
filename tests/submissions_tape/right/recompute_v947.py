# verdict:
# why = "calculated again in propagate"
#: note, minus
def sigmoid(x):
    r = Variable(1 / (1 + torch.exp(-x.value)))

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        s = sigmoid(x)
        return [dL_dr * s - dL_dr * s * s]

    gradient_tape.append(TapeEntry([x.name], [r.name], propagate))
    return r
