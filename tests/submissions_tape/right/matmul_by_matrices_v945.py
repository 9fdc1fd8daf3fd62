# verdict:
# why = "outer product as a product of matrices"
#: note, mean
def operator_matmul(self, rhs):
    r = Variable(torch.matmul(self.value, rhs.value))

    def propagate(dL_doutputs):
        g = dL_doutputs[0].value
        return [Variable(g[:, None] @ rhs.value[None, :]), Variable(self.value.t().mv(g))]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__matmul__ = operator_matmul
