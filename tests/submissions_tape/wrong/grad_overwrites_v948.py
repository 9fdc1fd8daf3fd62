# verdict:
# failed = "gradient wrong-gradient @N7 a, gradient wrong-gradient @N6 b, second-order wrong-second-order @N7 a, second-order wrong-second-order @N6 b"
# unused-nodes = "partial 13.5: unused-node @N7"
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
