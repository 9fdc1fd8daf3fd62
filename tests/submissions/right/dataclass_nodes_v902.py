# verdict:
from dataclasses import dataclass

#: torch
@dataclass
class Node:
    value: torch.Tensor
    parents: tuple = ()
#: class
        w0, w1 = self.w
        a = Node(w0 * x1, (w0, x1))
        b = Node(w1 * x2, (w1, x2))
        y = a.value * b.value + x3
        dw0 = b.value * a.parents[1]
        b.value = None
        dw1 = a.value * b.parents[1]
        del a
#: end
