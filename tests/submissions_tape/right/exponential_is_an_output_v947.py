# verdict:
# why = "what is captured is an output"
#: note, minus, optional
def sigmoid(x):
    e = Variable(torch.exp(-x.value))
    s = Variable(1 / (1 + e.value))

    def propagate(dL_doutputs):
        dL_ds, dL_de = dL_doutputs
        if dL_ds is not None:
            dL_de = add_optional(dL_de, -(dL_ds * s * s))
        return [-(dL_de * e)]

    gradient_tape.append(TapeEntry([x.name], [s.name, e.name], propagate))
    return s
