# verdict:
# why = "Variables are a dataclass"
#: note
from dataclasses import dataclass, field


@dataclass(eq=False)
class Variable:
    value: torch.Tensor
    name: str = field(default_factory=lambda: fresh_name())

    def __mul__(self, rhs):
        return operator_mul(self, rhs)

    def __add__(self, rhs):
        return operator_add(self, rhs)

    def sum(self, name=None):
        r = Variable(torch.sum(self.value))
        size = self.value.size()
        gradient_tape.append(TapeEntry([self.name], [r.name], lambda d: [d[0].expand(*size)]))
        return r

    def expand(self, *sizes):
        return operator_expand(self, sizes)
