# verdict:
# why = "other names for what is local"
#: note
def grad(loss, params):
    """ d loss / d params """
    sens = {loss.name: Variable(torch.ones_like(loss.value))}
    for e in reversed(gradient_tape):
        outs = tuple(sens.get(o) for o in e.outputs)
        if not any(o is not None for o in outs):
            continue
        for i, s in zip(e.inputs, e.propagate(outs)):
            sens[i] = s if i not in sens else sens[i] + s
    return tuple(sens.get(p.name) for p in params)
