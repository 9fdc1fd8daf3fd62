# verdict:
# failed = "gradient raises @A, none, unused-nodes, release, second-order"
# why = "another signature"
#: note
def grad(L):  # @A
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        for name, dL_dinput in zip(entry.inputs, entry.propagate([dL_d[n] for n in entry.outputs])):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    return dL_d
