# verdict:
# gradient = "partial 17.5: no-gradient @N1 x"
# why = "x is a constant"
#: note, matmul, mean
def operator_matmul(self, rhs):
    r = Variable(self.value @ rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable(self.value.T @ dL_dr.value)]

    gradient_tape.append(TapeEntry(inputs=[rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__matmul__ = operator_matmul
