# verdict:
# failed = "none zero-gradient @B"
# gradient = "partial 11.667: wrong-gradient @A a, wrong-gradient @N6 c"
# why = "it starts at the end of the tape, not at L"
#: note
def grad(L, desired_results):  # @B
    dL_d = {gradient_tape[-1].outputs[0]: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput  # @A
    return [dL_d.get(desired.name) for desired in desired_results]
