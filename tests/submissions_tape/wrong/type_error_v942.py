# verdict:
# failed = "gradient raises @N4, none, unused-nodes, release, second-order"
# why = "the note's first try: t is a tensor, and Variables are multiplied by Variables"
#: note
def simple_variable(a, b):
    t = (a.value + b.value)
    r = Variable(t * b.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        dL_dt = dL_dr * b
        return [dL_dt, dL_dt + dL_dr * t]

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name], propagate=propagate))
    return r
