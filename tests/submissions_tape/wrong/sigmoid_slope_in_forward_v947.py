# verdict:
# failed = "second-order wrong-second-order @A x"
# why = "the slope is calculated in advance"
#: note
def sigmoid(x):
    s = torch.sigmoid(x.value)
    slope = Variable(s * (1 - s))
    r = Variable(s)

    def propagate(dL_doutputs):
        dL_ds, = dL_doutputs
        return [dL_ds * slope]  # @A

    gradient_tape.append(TapeEntry([x.name], [r.name], propagate))
    return r
