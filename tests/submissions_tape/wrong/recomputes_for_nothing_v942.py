# verdict:
# unused-nodes = "partial 13.5: unused-node @A"
# why = "t again, and one more that nobody reads"
#: note
def simple_variable(a, b):
    r = Variable((a.value + b.value) * b.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        t = a + b
        y = t * b  # @A
        dL_dt = dL_dr * b
        return [dL_dt, dL_dt + dL_dr * t]

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name], propagate=propagate))
    return r
