# verdict:
# second-order = "partial 10: wrong-second-order @T b"
# why = "the note's own mistake: t is captured and is no output"
#: note
def simple_variable(a, b):
    t = (a.value + b.value)
    t_v = Variable(t, name='t')
    r = Variable(t * b.value)

    def propagate(dL_doutputs: List[Variable]) -> List[Variable]:
        dL_dr, = dL_doutputs
        dr_dt = b
        dr_db = t_v
        dL_dt = dL_dr * dr_dt
        dt_da = 1.0
        dt_db = 1.0
        dL_da = dL_dt * dt_da
        dL_db = dL_dt * dt_db + dL_dr * dr_db  # @T
        return [dL_da, dL_db]

    gradient_tape.append(TapeEntry(inputs=[a.name, b.name], outputs=[r.name], propagate=propagate))
    return r
