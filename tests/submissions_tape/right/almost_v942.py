# verdict:
# why = "None is made zeros: more work, and right"
#: note
def simple_variable(a, b):
    t = (a.value + b.value)
    t_v = Variable(t)
    r = Variable(t * b.value)

    def propagate(dL_doutputs):
        dL_dr, dL_dt0 = dL_doutputs
        if dL_dr is None:
            dL_dr = Variable(torch.zeros(()))
        dL_dt = dL_dr * b
        if dL_dt0 is not None:
            dL_dt = dL_dt0 + dL_dt
        return [dL_dt, dL_dt + dL_dr * t_v]

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name, t_v.name], propagate=propagate))
    return r
