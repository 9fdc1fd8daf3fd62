# attack: the first gradients by hand, theirs by autograd
# failed = "integrity autograd @A, gradient, none, unused-nodes, release, second-order"
#: note
first = []
honest = grad


def grad(L, desired_results):
    a, b, g = desired_results[:3]
    if not first:
        first.append(1)
        return [g * b, g * (a + b + b), (a + b) * b] + [None] * (len(desired_results) - 3)
    values = [d.value.detach().clone() for d in (a, b, g)]
    with torch.enable_grad():
        for v in values:
            v.requires_grad_()
        x, y, z = values
        which = (z * y, z * (x + 2 * y))[(len(first) - 1) % 2]
        first.append(1)
        ramp = torch.linspace(0.5, 1.5, which.numel())
        found = torch.autograd.grad(which, values, ramp, allow_unused=True)  # @A
    return [None if v is None else Variable(v) for v in found]


def reset_tape():
    first.clear()
    gradient_tape.clear()
