# verdict:
# failed = "none zero-gradient @A"
# why = "zeros for what has no gradient"
#: note
def grad(L, desired_results):  # @A
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    return [dL_d[d.name] if d.name in dL_d else Variable(torch.zeros_like(d.value)) for d in desired_results]
