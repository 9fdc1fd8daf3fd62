# verdict:
# failed = "gradient raises @N9, none, second-order wrong-second-order @N10 a, second-order wrong-second-order @N10 b"
# why = "propagate is called with None"
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    return [dL_d.get(desired.name) for desired in desired_results]
