# verdict:
# failed = "second-order wrong-second-order @A x"
# why = "propagate on tensors"
#: note
def sigmoid(x):
    s = torch.sigmoid(x.value)
    r = Variable(s)

    def propagate(dL_doutputs):
        dL_ds, = dL_doutputs
        return [Variable(dL_ds.value * s * (1 - s))]  # @A

    gradient_tape.append(TapeEntry([x.name], [r.name], propagate))
    return r
