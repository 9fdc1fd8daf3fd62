# verdict:
# failed = "gradient wrong-gradient @A a, gradient wrong-gradient @A b, second-order wrong-second-order @A a, second-order wrong-second-order @A b"
# why = "each use sends the sum so far back again"
#: note
def grad(L, desired_results):
    makers = {entry.outputs[0]: entry for entry in gradient_tape}
    dL_d = {}

    def back(name, gradient):
        dL_d[name] = dL_d[name] + gradient if name in dL_d else gradient  # @A
        if name in makers:
            entry = makers[name]
            for n, dL_dinput in zip(entry.inputs, entry.propagate([dL_d[name]])):
                back(n, dL_dinput)

    back(L.name, Variable(torch.ones(())))
    return [dL_d.get(desired.name) for desired in desired_results]
