# verdict:
# gradient = "partial 11.667: wrong-gradient @A a, wrong-gradient @N6 c"
# why = "sums up in an attribute that nobody sets to None"
#: note
def grad(L, desired_results):
    made = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [made.get(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            made[name] = made[name] + dL_dinput if name in made else dL_dinput  # @A
    for desired in desired_results:
        if desired.name in made:
            old = getattr(desired, 'grad', None)
            desired.grad = made[desired.name] if old is None else old + made[desired.name]
    return [getattr(desired, 'grad', None) for desired in desired_results]
