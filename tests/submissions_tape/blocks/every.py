#= variable
import torch
from typing import Callable, Dict, List, NamedTuple, Optional

_name: int = 0


def fresh_name() -> str:
    """ create a new unique name for a variable: v0, v1, v2 """
    global _name
    r = f'v{_name}'
    _name += 1
    return r


class Variable:  # @N8
    def __init__(self, value: torch.Tensor, name: str = None):
        self.value = value
        self.name = name or fresh_name()

    @staticmethod
    def constant(value: torch.Tensor, name: str = None):
        r = Variable(value, name)
        print(f'{r.name} = {value}')
        return r

    def __repr__(self):
        return repr(self.value)

    def __mul__(self, rhs: 'Variable') -> 'Variable':
        return operator_mul(self, rhs)

    def __add__(self, rhs: 'Variable') -> 'Variable':
        return operator_add(self, rhs)

    def sum(self, name: Optional[str] = None) -> 'Variable':
        return operator_sum(self, name)

    def expand(self, sizes: List[int]) -> 'Variable':
        return operator_expand(self, sizes)


#= tape
class TapeEntry(NamedTuple):
    inputs: List[str]
    outputs: List[str]
    propagate: 'Callable[List[Variable], List[Variable]]'


gradient_tape: List[TapeEntry] = []


def reset_tape():  # @N15
    gradient_tape.clear()
    global _name
    _name = 0


#= grad
def grad(L, desired_results: List[Variable]) -> List[Variable]:  # @N1
    dL_d: Dict[str, Variable] = {}
    dL_d[L.name] = Variable(torch.ones(()))  # @N3
    print(f'd{L.name} ------------------------')

    def gather_grad(entries: List[str]):
        return [dL_d[entry] if entry in dL_d else None for entry in entries]

    for entry in reversed(gradient_tape):
        dL_doutputs = gather_grad(entry.outputs)
        if all(dL_doutput is None for dL_doutput in dL_doutputs):
            continue

        dL_dinputs = entry.propagate(dL_doutputs)

        for input, dL_dinput in zip(entry.inputs, dL_dinputs):
            if input not in dL_d:
                dL_d[input] = dL_dinput
            else:
                dL_d[input] += dL_dinput  # @N5

    for name, value in dL_d.items():
        print(f'd{L.name}_d{name} = {value.name}')  # @N14

    return gather_grad(desired.name for desired in desired_results)


#= mul
def operator_mul(self: Variable, rhs: Variable) -> Variable:
    if isinstance(rhs, float) and rhs == 1.0:
        # peephole optimization
        return self

    r = Variable(self.value * rhs.value)  # @N4
    print(f'{r.name} = {self.name} * {rhs.name}')
    inputs = [self.name, rhs.name]
    outputs = [r.name]

    def propagate(dL_doutputs: List[Variable]):
        dL_dr, = dL_doutputs
        dr_dself = rhs
        dr_drhs = self
        dL_dself = dL_dr * dr_dself  # @N7
        dL_drhs = dL_dr * dr_drhs  # @N6
        return [dL_dself, dL_drhs]

    gradient_tape.append(TapeEntry(inputs=inputs, outputs=outputs, propagate=propagate))
    return r


#= add
def operator_add(self: Variable, rhs: Variable) -> Variable:
    r = Variable(self.value + rhs.value)  # @N2
    print(f'{r.name} = {self.name} + {rhs.name}')

    def propagate(dL_doutputs: List[Variable]):
        dL_dr, = dL_doutputs
        dr_dself = 1.0
        dr_drhs = 1.0
        return [dL_dr * dr_dself, dL_dr * dr_drhs]  # @N10

    gradient_tape.append(TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate))
    return r


#= sum
def operator_sum(self: Variable, name: Optional[str]) -> 'Variable':
    r = Variable(torch.sum(self.value), name=name)  # @N16
    print(f'{r.name} = {self.name}.sum()')

    def propagate(dL_doutputs: List[Variable]):
        dL_dr, = dL_doutputs
        size = self.value.size()
        return [dL_dr.expand(*size)]  # @N9

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


#= expand
def operator_expand(self: Variable, sizes: List[int]) -> 'Variable':
    assert (self.value.dim() == 0)  # only works for scalars
    r = Variable(self.value.expand(sizes))
    print(f'{r.name} = {self.name}.expand({sizes})')

    def propagate(dL_doutputs: List[Variable]):
        dL_dr, = dL_doutputs
        return [dL_dr.sum()]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


#= note
#: variable, tape, grad, mul, add, sum, expand


#= minus
def operator_neg(self):
    r = Variable(-self.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [operator_neg(dL_dr)]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


def operator_sub(self, rhs):
    r = Variable(self.value - rhs.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr, operator_neg(dL_dr)]

    gradient_tape.append(
        TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate)
    )
    return r


Variable.__neg__ = operator_neg
Variable.__sub__ = operator_sub


#= div
def operator_div(self, rhs):
    r = Variable(self.value / rhs.value)  # @N11

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        dL_dself = dL_dr / rhs
        dL_drhs = -(dL_dself * r)
        return [dL_dself, dL_drhs]

    gradient_tape.append(
        TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate)
    )
    return r


Variable.__truediv__ = operator_div


#= exp
def operator_exp(self):
    r = Variable(torch.exp(self.value))

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr * r]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.exp = operator_exp


#= log
def operator_log(self):
    r = Variable(torch.log(self.value))

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr / self]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.log = operator_log


#= tanh
def operator_tanh(self):
    r = Variable(torch.tanh(self.value))

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [dL_dr - dL_dr * r * r]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.tanh = operator_tanh


#= matmul
def operator_matmul(self, rhs):
    r = Variable(self.value @ rhs.value)

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        dL_dself = Variable(torch.outer(dL_dr.value, rhs.value))  # @N12
        dL_drhs = Variable(self.value.T @ dL_dr.value)  # @N13
        return [dL_dself, dL_drhs]

    gradient_tape.append(
        TapeEntry(inputs=[self.name, rhs.name], outputs=[r.name], propagate=propagate)
    )
    return r


Variable.__matmul__ = operator_matmul


#= mean
def operator_mean(self):
    r = Variable(self.value.mean())

    def propagate(dL_doutputs):
        (dL_dr,) = dL_doutputs
        return [
            (dL_dr * Variable(torch.tensor(1.0 / self.value.numel()))).expand(*self.value.size())
        ]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.mean = operator_mean


#= optional
def add_optional(a: Optional['Variable'], b: Optional['Variable']):
    if a is None:
        return b
    if b is None:
        return a
    return a + b


