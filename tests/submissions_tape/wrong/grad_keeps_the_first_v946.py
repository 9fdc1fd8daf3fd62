# verdict:
# gradient = "partial 23.333: wrong-gradient @N7 a"
# unused-nodes = "partial 13.5: unused-node @N6"
# why = "setdefault keeps the first contribution"
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d.setdefault(name, dL_dinput)
    return [dL_d.get(desired.name) for desired in desired_results]
