# verdict:
# gradient = "partial 17.5: wrong-gradient @A b"
# second-order = "partial 10: wrong-second-order @A b"
# why = "b through t is forgotten"
#: note
def simple_variable(a, b):
    t_v = a + b
    r = Variable(t_v.value * b.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * b, dL_dr * t_v]  # @A

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name], propagate=propagate))
    return r
