# verdict:
# why = "rules are put into a table by calls below the functions"
import torch
from collections import defaultdict

vjps = {}
tape = []

class Variable:
    def __init__(self, value): self.value = value

def primitive(f):
    def wrapped(*args):
        out = Variable(f(*[a.value if isinstance(a, Variable) else a for a in args]))
        tape.append((wrapped, args, out))
        return out
    return wrapped

def defvjp(f, *rules):
    vjps[f] = rules

add = primitive(lambda a, b: torch.add(a, b))
mul = primitive(lambda a, b: torch.mul(a, b))
total = primitive(lambda a: torch.sum(a))
spread = primitive(lambda a, like: a.expand(like))

defvjp(add, lambda g, ans, a, b: g, lambda g, ans, a, b: g)
defvjp(mul, lambda g, ans, a, b: mul(g, b), lambda g, ans, a, b: mul(g, a))
defvjp(total, lambda g, ans, a: spread(g, a.value.shape))
defvjp(spread, lambda g, ans, a, like: total(g), None)

Variable.__add__, Variable.__mul__, Variable.sum = add, mul, lambda self: total(self)
Variable.__add__ = lambda self, other: add(self, other)
Variable.__mul__ = lambda self, other: mul(self, other)

def reset_tape():
    tape[:] = ()

def grad(L, desired_results):
    outgrads = defaultdict(lambda: None, {L: Variable(torch.ones(()))})
    for f, args, out in tuple(reversed(tape)):
        g = outgrads[out]
        if g is None:
            continue
        for rule, arg in zip(vjps[f], args):
            if rule is not None:
                new = rule(g, out, *args)
                outgrads[arg] = new if outgrads[arg] is None else add(outgrads[arg], new)
    return [outgrads[v] for v in desired_results]
