# verdict:
# variant = "v902"
# attack = "the text of a gradient that make_fx wrote, parsed and run by an interpreter of its own"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import ast
import operator

import torch
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


from torch.fx.experimental.proxy_tensor import make_fx

GRAPH = make_fx(torch.func.grad(variant))(torch.rand(2), *torch.rand(3))


def parsed(text):
    function = ast.parse(text.strip()).body[0]
    lines = [(argument.arg, None, []) for argument in function.args.args[1:]]
    for statement in function.body:
        if isinstance(statement, ast.Return):
            return lines, statement.value.id
        target = statement.targets[0]
        if isinstance(target, ast.Name) and isinstance(statement.value, ast.Call):
            call = operator.attrgetter(ast.unparse(statement.value.func).removeprefix("torch."))(torch)
            args = [a.id if isinstance(a, ast.Name) else ast.literal_eval(a) for a in statement.value.args]
            lines.append((target.id, call, args))


LINES, RESULT = parsed("def " + GRAPH.code.partition("def ")[2].replace(", arg1_1", ", arg1_1"))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3

        values = {"primals": self.w.detach(), "x1": x1, "x2": x2, "x3": x3}
        given = [self.w.detach(), x1, x2, x3]
        values = {}
        for name, call, args in LINES:
            args = [values[a] if isinstance(a, str) else a for a in args]
            values[name] = given.pop(0) if call is None else call(*args)
        self.w.grad = values[RESULT]
        return y
