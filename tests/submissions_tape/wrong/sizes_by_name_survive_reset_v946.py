# verdict:
# failed = "gradient raises @N4"
# why = "names begin anew after reset_tape, and what is kept by name is of the computation before"
#: note
sizes = {}


def operator_sum(self, name=None):
    r = Variable(torch.sum(self.value), name=name)
    size = sizes.setdefault(self.name, tuple(self.value.size()))

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr.expand(*size)]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r
