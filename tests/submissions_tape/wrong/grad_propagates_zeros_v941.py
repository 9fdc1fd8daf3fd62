# verdict:
# failed = "none zero-gradient @A"
# why = "zeros all the way: every entry is propagated"
#: note
def grad(L, desired_results):  # @A
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) or Variable(torch.zeros(())) for name in entry.outputs]
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    return [dL_d.get(desired.name) for desired in desired_results]
