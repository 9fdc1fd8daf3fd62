# verdict:
# failed = "second-order wrong-second-order @N7 a, second-order wrong-second-order @N6 b"
# why = "what grad itself calculates is not recorded"
#: note
def grad(L, desired_results):
    before = list(gradient_tape)
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(before):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    gradient_tape[:] = before
    return [dL_d.get(desired.name) for desired in desired_results]
