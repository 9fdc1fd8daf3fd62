# verdict:
# why = "by torch's own sigmoid, propagate of Variables"
#: note, minus
def sigmoid(x):
    s = Variable(torch.sigmoid(x.value))

    def propagate(dL_doutputs):
        dL_ds, = dL_doutputs
        return [dL_ds * s - dL_ds * s * s]

    gradient_tape.append(TapeEntry([x.name], [s.name], propagate))
    return s
