# verdict:
# why = "a recursion orders the entries, from L"
#: note
def grad(L, desired_results):
    makers = {name: entry for entry in gradient_tape for name in entry.outputs}
    order, seen = [], set()

    def visit(name):
        entry = makers.get(name)
        if entry is None or id(entry) in seen:
            return
        seen.add(id(entry))
        for n in entry.inputs:
            visit(n)
        order.append(entry)

    visit(L.name)
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(order):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            dL_d[name] = dL_d[name] + dL_dinput if name in dL_d else dL_dinput
    return [dL_d.get(desired.name) for desired in desired_results]
