# verdict:
# gradient = "partial 11.667: wrong-gradient @N5 a, wrong-gradient @A c"
# why = "each input gets half"
#: note
def operator_add(self, rhs):
    r = Variable(self.value + rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        half = Variable(torch.tensor(0.5))
        return [dL_dr * half, dL_dr * half]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
