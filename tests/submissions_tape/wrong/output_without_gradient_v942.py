# verdict:
# second-order = "partial 10: wrong-second-order @A b"
# why = "t_v is an output whose gradient is dropped"
#: note
def simple_variable(a, b):
    t = (a.value + b.value)
    t_v = Variable(t, name='t_v')
    r = Variable(t * b.value)

    def propagate(dL_doutputs):
        dL_dr, _ = dL_doutputs
        if dL_dr is None:
            return []
        dL_dt = dL_dr * b
        return [dL_dt, dL_dt + dL_dr * t_v]  # @A

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name, t_v.name], propagate=propagate))
    return r
