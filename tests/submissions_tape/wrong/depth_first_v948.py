# verdict:
# failed = "gradient wrong-gradient @A a, gradient wrong-gradient @A b, second-order wrong-second-order @A a, second-order wrong-second-order @A b"
# why = "goes on before all uses of a value are there"
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    makers = {entry.outputs[0]: entry for entry in gradient_tape}

    def visit(name):
        entry = makers.get(name)
        if entry is None:
            return
        for n, dL_dinput in zip(entry.inputs, entry.propagate([dL_d[name]])):
            dL_d[n] = dL_d[n] + dL_dinput if n in dL_d else dL_dinput  # @A
            visit(n)

    visit(L.name)
    return [dL_d.get(desired.name) for desired in desired_results]
