# verdict:
# failed = "gradient no-gradient @A a, gradient no-gradient @A b, none, unused-nodes, release, second-order wrong-second-order @A a, second-order wrong-second-order @A b"
# why = "the tape is walked by a growing list of indices"
#: note
def grad(L, desired_results):  # @A
    dL_d = {L.name: Variable(torch.ones(()))}
    i = 1
    while i <= len(gradient_tape):
        entry = gradient_tape[-i]
        i += 1
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
        if len(gradient_tape) > 200:
            break
    return [dL_d.get(desired.name) for desired in desired_results]
