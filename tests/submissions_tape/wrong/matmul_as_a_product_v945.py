# verdict:
# gradient = "partial 17.5: wrong-shape @A x"
# why = "dL * w, broadcast"
#: note, matmul, mean
def operator_matmul(self, rhs):
    r = Variable(self.value @ rhs.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [Variable(dL_dr.value.sum() * rhs.value), Variable(self.value.T @ dL_dr.value)]  # @A

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


Variable.__matmul__ = operator_matmul
