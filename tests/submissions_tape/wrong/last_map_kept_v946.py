# verdict:
# failed = "release kept @N2, release kept @N4"
# why = "the map of the last grad stays in a global"
#: note
last = {}


def grad(L, desired_results):
    last.clear()
    last[L.name] = Variable(torch.ones(()))
    for entry in reversed(gradient_tape):
        dL_doutputs = [last.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            last[name] = last[name] + dL_dinput if name in last else dL_dinput
    return [last.get(desired.name) for desired in desired_results]
