# verdict:
# why = "t is calculated again, of Variables"
#: note
def simple_variable(a, b):
    t = (a.value + b.value)
    r = Variable(t * b.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        t = a + b
        dL_dt = dL_dr * b
        return [dL_dt, dL_dt + dL_dr * t]

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name], propagate=propagate))
    return r
