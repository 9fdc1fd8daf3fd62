# verdict:
# failed = "second-order wrong-second-order @A x"
# why = "the exponential is captured and is no output"
#: note, minus, div
def sigmoid(x):
    e = Variable(torch.exp(-x.value))
    s = Variable(1 / (1 + e.value))

    def propagate(dL_doutputs):
        dL_ds, = dL_doutputs
        return [dL_ds * s * s * e]  # @A

    gradient_tape.append(TapeEntry([x.name], [s.name], propagate))
    return s
