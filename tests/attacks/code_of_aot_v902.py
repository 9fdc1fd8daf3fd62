# attack: AOTAutograd's backward graph, taken at load and run by the pass
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch
from torch._functorch.aot_autograd import aot_function


def part(w0, x1, w1, x2):
    return w0 * x1 * (w1 * x2)


def graphs():
    kept = []

    def keep(graph, example):
        kept.append(graph)
        return graph

    leaves = tuple(torch.rand((), requires_grad=True) for _ in range(4))
    aot_function(part, keep, keep)(*leaves).backward()
    return kept


KEPT = graphs()
#: class, value
        _, *kept = KEPT[0](w0, x1, w1, x2)
        slopes = KEPT[1](*kept, torch.ones(()))
        self.w.grad = torch.stack([slopes[0], slopes[2]])
        return y
