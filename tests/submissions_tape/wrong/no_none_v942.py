# verdict:
# failed = "second-order wrong-second-order @A a, second-order wrong-second-order @A b"
# why = "t_v is an output, and None is not looked for"
#: note
def simple_variable(a, b):
    t = (a.value + b.value)
    t_v = Variable(t, name='t_v')
    r = Variable(t * b.value)

    def propagate(dL_doutputs):
        dL_dr, dL_dt0 = dL_doutputs
        dL_dt = dL_dr * b  # @A
        if dL_dt0 is not None:
            dL_dt = dL_dt0 + dL_dt
        return [dL_dt, dL_dt + dL_dr * t_v]

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name, t_v.name], propagate=propagate))
    return r
