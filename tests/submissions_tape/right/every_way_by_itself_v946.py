# verdict:
# why = "a recursion sends each contribution all the way"
#: note
def grad(L, desired_results):
    makers = {entry.outputs[0]: entry for entry in gradient_tape}
    dL_d = {}

    def back(name, gradient):
        dL_d[name] = dL_d[name] + gradient if name in dL_d else gradient
        if name in makers:
            entry = makers[name]
            for n, dL_dinput in zip(entry.inputs, entry.propagate([gradient])):
                back(n, dL_dinput)

    back(L.name, Variable(torch.ones(())))
    return [dL_d.get(desired.name) for desired in desired_results]
