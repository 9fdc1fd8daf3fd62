# verdict:
# failed = "gradient wrong-gradient @A x, second-order wrong-second-order @A x"
# why = "s * (1 + s)"
#: note
def sigmoid(x):
    s = Variable(torch.sigmoid(x.value))

    def propagate(dL_doutputs):
        dL_ds, = dL_doutputs
        return [dL_ds * s + dL_ds * s * s]  # @A

    gradient_tape.append(TapeEntry([x.name], [s.name], propagate))
    return s
