# verdict:
# why = "t is an output of add's own entry"
#: note
def simple_variable(a, b):
    t_v = a + b
    r = Variable(t_v.value * b.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * b, dL_dr * t_v]

    gradient_tape.append(TapeEntry(inputs=[t_v.name, b.name], outputs=[r.name], propagate=propagate))
    return r
