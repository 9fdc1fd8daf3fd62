# verdict:
# gradient = "partial 11.667: wrong-gradient @A a, wrong-gradient @N6 c"
# why = "a second grad finds nothing"
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    entries, gradient_tape[:] = list(gradient_tape), []
    while entries:
        entry = entries.pop()
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput  # @A
    return [dL_d.get(desired.name) for desired in desired_results]
