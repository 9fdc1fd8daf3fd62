# verdict:
# why = "entries are plain tuples"
import torch

gradient_tape = []
count = 0


class Variable:
    def __init__(self, value, name=None):
        global count
        self.value = value
        self.name = name or f'x{count}'
        count += 1

    def __add__(self, other):
        out = Variable(self.value + other.value)
        gradient_tape.append(([self.name, other.name], [out.name], lambda d: [d[0], d[0]]))
        return out

    def __mul__(self, other):
        out = Variable(self.value * other.value)
        gradient_tape.append(([self.name, other.name], [out.name], lambda d: [d[0] * other, d[0] * self]))
        return out

    def sum(self):
        out = Variable(self.value.sum())
        n = self.value.shape
        gradient_tape.append(([self.name], [out.name], lambda d: [d[0].expand(*n)]))
        return out

    def expand(self, *sizes):
        out = Variable(self.value.expand(*sizes))
        gradient_tape.append(([self.name], [out.name], lambda d: [d[0].sum()]))
        return out


def reset_tape():
    global count
    del gradient_tape[:]
    count = 0


def grad(loss, wanted):
    found = {loss.name: Variable(torch.tensor(1.0))}
    for inputs, outputs, propagate in gradient_tape[::-1]:
        above = [found.get(name) for name in outputs]
        if any(g is not None for g in above):
            for name, g in zip(inputs, propagate(above)):
                found[name] = g if name not in found else found[name] + g
    return [found.get(v.name) for v in wanted]
