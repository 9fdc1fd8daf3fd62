# verdict:
# failed = "gradient wrong-gradient @N7 a, gradient wrong-gradient @A b, second-order wrong-second-order @N7 a, second-order wrong-second-order @A b"
# why = "dL/dL is 2"
#: note
def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.tensor(2.0))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput  # @A
    return [dL_d.get(desired.name) for desired in desired_results]
