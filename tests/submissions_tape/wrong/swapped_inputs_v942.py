# verdict:
# failed = "gradient wrong-gradient @A a, gradient wrong-gradient @B b, second-order wrong-second-order @A a, second-order wrong-second-order @B b"
# why = "the names stand in another order than the gradients"
#: note
def simple_variable(a, b):
    r = Variable((a.value + b.value) * b.value)

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        dL_dt = dL_dr * b  # @B
        return [dL_dt, dL_dt + dL_dr * (a + b)]  # @A

    gradient_tape.append(TapeEntry(inputs=[b.name, a.name], outputs=[r.name], propagate=propagate))
    return r
