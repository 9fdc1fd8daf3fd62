# verdict:
# second-order = "partial 10: wrong-second-order @A b"
# why = "recalculated on values"
#: note
def simple_variable(a, b):
    r = Variable((a.value + b.value) * b.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        t = Variable(a.value + b.value)
        dL_dt = dL_dr * b
        return [dL_dt, dL_dt + dL_dr * t]  # @A

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name], propagate=propagate))
    return r
