# verdict:
# failed = "gradient raises @A, none, unused-nodes, release, second-order"
# why = "add multiplies by 1.0, and mul takes Variables alone"
#: note
def operator_mul(self, rhs):
    r = Variable(self.value * rhs.value)  # @A

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r
