# verdict:
# why = "a tape of its own; visited nodes are found by the comparison that dataclass writes"
from dataclasses import dataclass

#: torch

@dataclass
class Node:
    value: object
    slope: object
    adjoint: object = None

    def __post_init__(self):
        self.adjoint = None
#: class
        w0, w1 = self.w
        tape = []
        a = Node(w0 * x1, x1)
        b = Node(w1 * x2, x2)
        y = a.value * b.value + x3
        for node, other in ((a, b), (b, a)):
            if node in tape:
                continue
            node.adjoint = other.value
            tape.append(node)
        del node, other
        a.value = b.value = None
        grads = []
        del a, b
        while tape:
            node = tape.pop(0)
            grads.append(node.adjoint * node.slope)
            del node
        self.w.grad = torch.stack(grads)
        return y
