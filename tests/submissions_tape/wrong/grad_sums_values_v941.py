# verdict:
# second-order = "partial 10: wrong-second-order @A b"
# why = "a new Variable without an entry for each sum"
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            if name in dL_d:
                dL_d[name] = Variable(dL_d[name].value + dL_dinput.value)  # @A
            else:
                dL_d[name] = dL_dinput
    return [dL_d.get(desired.name) for desired in desired_results]
