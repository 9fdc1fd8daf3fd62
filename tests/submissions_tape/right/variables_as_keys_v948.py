# verdict:
# why = "the map is by the Variables themselves"
#: note
def grad(L, desired_results):
    by_id = {}

    def get(name):
        return by_id.get(name)

    by_id[L.name] = Variable(torch.ones(()))
    for i in range(len(gradient_tape) - 1, -1, -1):
        inputs, outputs, propagate = gradient_tape[i]
        given = list(map(get, outputs))
        if not any(g is not None for g in given):
            continue
        for name, g in zip(inputs, propagate(given)):
            old = get(name)
            by_id[name] = g if old is None else old + g
    return [get(d.name) for d in desired_results]
