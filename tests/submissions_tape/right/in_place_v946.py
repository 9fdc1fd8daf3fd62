# verdict:
# why = "sums into a fresh tensor in place"
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            if name in dL_d:
                total = dL_d[name].value.clone()
                total += dL_dinput.value
                dL_d[name] = Variable(total)
            else:
                dL_d[name] = dL_dinput
    return [dL_d.get(desired.name) for desired in desired_results]
