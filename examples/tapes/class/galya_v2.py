import itertools
from typing import Callable, List, NamedTuple

import torch

numbers = itertools.count()


class Variable:
    def __init__(self, value: torch.Tensor, name: str = None):
        self.value = value
        self.name = name or f"v{next(numbers)}"

    def __repr__(self):
        return repr(self.value)

    def __mul__(self, rhs):
        return operator_mul(self, rhs)

    def __add__(self, rhs):
        return operator_add(self, rhs)

    def __sub__(self, rhs):
        return operator_sub(self, rhs)

    def __neg__(self):
        return operator_neg(self)

    def __truediv__(self, rhs):
        return operator_div(self, rhs)

    def exp(self):
        return operator_exp(self)

    def sum(self):
        return operator_sum(self)

    def expand(self, sizes):
        return operator_expand(self, sizes)


class TapeEntry(NamedTuple):
    inputs: List[str]
    outputs: List[str]
    propagate: Callable


gradient_tape: List[TapeEntry] = []


def reset_tape():
    gradient_tape.clear()


def operator_mul(self, rhs):
    r = Variable(self.value * rhs.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr * rhs, dL_dr * self]

    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], propagate))
    return r


def operator_add(self, rhs):
    r = Variable(self.value + rhs.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr, dL_dr]

    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], propagate))
    return r


def operator_sub(self, rhs):
    r = Variable(self.value - rhs.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr, -dL_dr]

    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], propagate))
    return r


def operator_neg(self):
    r = Variable(-self.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [-dL_dr]

    gradient_tape.append(TapeEntry([self.name], [r.name], propagate))
    return r


def operator_div(self, rhs):
    r = Variable(self.value / rhs.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr / rhs, dL_dr * r / rhs]

    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], propagate))
    return r


def operator_exp(self):
    r = Variable(torch.exp(self.value))

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr * r]

    gradient_tape.append(TapeEntry([self.name], [r.name], propagate))
    return r


def operator_sum(self):
    r = Variable(self.value.sum())

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr.expand(self.value.shape)]

    gradient_tape.append(TapeEntry([self.name], [r.name], propagate))
    return r


def operator_expand(self, sizes):
    r = Variable(self.value.expand(sizes))

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr.sum()]

    gradient_tape.append(TapeEntry([self.name], [r.name], propagate))
    return r


def grad(L, desired_results):
    dL_d = {L.name: Variable(torch.ones(()))}
    for entry in reversed(gradient_tape):
        dL_doutputs = [dL_d.get(name) for name in entry.outputs]
        if all(dL_doutput is None for dL_doutput in dL_doutputs):
            continue
        for name, dL_dinput in zip(entry.inputs, entry.propagate(dL_doutputs)):
            if name in dL_d:
                dL_d[name] = dL_d[name] + dL_dinput
            else:
                dL_d[name] = dL_dinput
    zero = Variable(torch.zeros(()))
    return [dL_d.get(desired.name, zero) for desired in desired_results]
