# verdict:
# why = "sums by add_optional"
#: note, optional
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = add_optional(dL_d.get(name), dL_dinput)
    return [dL_d.get(desired.name) for desired in desired_results]
