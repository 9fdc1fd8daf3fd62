# verdict:
# failed = "forward wrong-value @A, second-order wrong-second-order @B x"
# why = "the sign in the exponent"
#: note
def sigmoid(x):
    s = Variable(1 / (1 + torch.exp(x.value)))  # @A

    def propagate(dL_doutputs):
        dL_ds, = dL_doutputs
        return [dL_ds * s + (dL_ds * s * s) * Variable(torch.tensor(-1.0))]  # @B

    gradient_tape.append(TapeEntry([x.name], [s.name], propagate))
    return s
