# attack: text that calls itself the comparison of a dataclass
# failed = "integrity foreign-code, gradient, unused-nodes, release"
#: torch
class Node:
    exec("def __eq__(self, other):\n    return torch.stack([self.b * other, self.a * other])")
#: class, value
        node = Node()
        node.a, node.b = w0 * x1 * x2, w1 * x2 * x1
        self.w.grad = node == 1
        return y
