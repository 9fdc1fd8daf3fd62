# verdict:
# why = "the note's own aggregate, which makes t_v an output"
#: note
def add_optional(a: Optional['Variable'], b: Optional['Variable']):
    if a is None:
        return b
    if b is None:
        return a
    return a + b


def simple_variable(a, b):
    t = (a.value + b.value)
    t_v = Variable(t, name='t_v')
    r = Variable(t * b.value)

    def propagate(dL_doutputs: List[Variable]) -> List[Variable]:
        dL_dr, dL_dt0 = dL_doutputs
        dr_dt = b
        dr_db = t_v
        dL_dt = dL_dt0
        if dL_dr is not None:
            dL_dt = add_optional(dL_dt, dL_dr * dr_dt)
        dt_da = 1.0
        dt_db = 1.0
        if dL_dr is not None:
            dL_db = dL_dr * dr_db
        else:
            dL_db = None
        if dL_dt is not None:
            dL_da = dL_dt * dt_da
            dL_db = add_optional(dL_db, dL_dt * dt_db)
        else:
            dL_da = None
        return [dL_da, dL_db]

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name, t_v.name], propagate=propagate))
    return r
