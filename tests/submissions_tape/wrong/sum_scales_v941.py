# verdict:
# failed = "gradient wrong-gradient @N7 a, gradient wrong-gradient @N5 b, second-order wrong-second-order @N7 a, second-order wrong-second-order @N5 b"
# why = "divides by the size, as the mean does"
#: note
def operator_sum(self, name):
    r = Variable(torch.sum(self.value), name=name)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable(dL_dr.value.expand(self.value.size()) / self.value.numel())]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r
