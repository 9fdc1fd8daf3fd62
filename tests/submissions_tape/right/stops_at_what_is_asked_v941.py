# verdict:
# why = "entries that lead to none of the results are pruned"
#: note
def grad(L, desired_results):
    needed = {desired.name for desired in desired_results}
    useful = []
    for entry in gradient_tape:
        if needed.intersection(entry.inputs):
            needed.update(entry.outputs)
            useful.append(entry)
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(useful):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    return [dL_d.get(desired.name) for desired in desired_results]
