# verdict:
# failed = "none zero-gradient @A b"
# unused-nodes = "partial 12: unused-node @B, unused-node @C"
# why = "zeros for the input that is not used"
#: note
def grad(L, desired_results):  # @A
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    zero = Variable(torch.zeros(()))  # @B
    return [dL_d.get(d.name, Variable(torch.zeros_like(d.value))) for d in desired_results]  # @C
