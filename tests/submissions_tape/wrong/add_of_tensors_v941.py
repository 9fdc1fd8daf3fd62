# verdict:
# failed = "gradient raises @A, none, unused-nodes, release, second-order"
# why = "returns the tensors of the gradients"
#: note
def operator_add(self, rhs):
    r = Variable(self.value + rhs.value)  # @A

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr.value, dL_dr.value]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
