# verdict:
# why = "= instead of +="
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        dL_d.update(zip(entry.inputs, entry.propagate(dL_doutputs)))
    return [dL_d.get(desired.name) for desired in desired_results]
