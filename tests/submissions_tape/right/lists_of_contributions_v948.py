# verdict:
# why = "contributions are gathered and added once they are all there"
#: note
from collections import defaultdict


def grad(L, desired_results):
    parts = defaultdict(list)
    parts[L.name].append(Variable(torch.ones(())))

    def total(name):
        found = parts[name]
        while len(found) > 1:
            found.append(found.pop() + found.pop())
        return found[0] if found else None

    for entry in reversed(list(gradient_tape)):
        dL_doutputs = [total(name) for name in entry.outputs]
        if all(d is None for d in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            parts[name].append(dL_dinput)
    return [total(desired.name) for desired in desired_results]
