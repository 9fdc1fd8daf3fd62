# verdict:
# failed = "none zero-gradient @A"
# unused-nodes = "partial 13.5: unused-node @C"
# why = "adjoints begin as zeros"
import torch
VALUES, ROWS = [], []

class Variable:
    def __init__(self, value, row=None):
        self.at = len(VALUES)
        VALUES.append(value)
        ROWS.append(row)

    @property
    def value(self):
        return VALUES[self.at]

    def __add__(self, o): return Variable(self.value + o.value, ("+", self.at, o.at))
    def __sub__(self, o): return Variable(self.value - o.value, ("-", self.at, o.at))
    def __mul__(self, o): return Variable(self.value * o.value, ("*", self.at, o.at))
    def __truediv__(self, o): return Variable(self.value / o.value, ("/", self.at, o.at))
    def sum(self): return Variable(self.value.sum(), ("s", self.at, None))

def reset_tape():
    VALUES.clear()
    ROWS.clear()

def grad(L, desired_results):  # @A
    d = [torch.zeros_like(v) for v in VALUES]  # @C
    d[L.at] = torch.ones(())
    def put(i, g):
        d[i] = d[i] + g
    for i in range(len(ROWS) - 1, -1, -1):
        g = d[i]
        if g is None or ROWS[i] is None:
            continue
        op, a, b = ROWS[i]
        if op == "+": put(a, g); put(b, g)
        elif op == "-": put(a, g); put(b, -g)
        elif op == "*": put(a, g * VALUES[b]); put(b, g * VALUES[a])
        elif op == "/": put(a, g / VALUES[b]); put(b, -g * VALUES[i] / VALUES[b])
        else: put(a, g.expand(VALUES[a].shape))
    return [None if d[v.at] is None else Variable(d[v.at]) for v in desired_results]
