# verdict:
# gradient = "partial 17.5: wrong-shape @A w"
# why = "the gradient of w keeps the rows"
#: note, matmul, mean
def operator_matmul(self, rhs):
    r = Variable(self.value @ rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        dL_dself = Variable(torch.outer(dL_dr.value, rhs.value))
        return [dL_dself, Variable(self.value * dL_dr.value[:, None])]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__matmul__ = operator_matmul
