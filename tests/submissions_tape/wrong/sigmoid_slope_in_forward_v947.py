# verdict:
# failed = "second-order hidden-output @A x"
# why = "the slope is calculated in advance"
#: note
def sigmoid(x):
    s = torch.sigmoid(x.value)
    slope = Variable(s * (1 - s))  # @A
    r = Variable(s)

    def propagate(dL_doutputs):
        dL_ds, = dL_doutputs
        return [dL_ds * slope]

    gradient_tape.append(TapeEntry([x.name], [r.name], propagate))
    return r
