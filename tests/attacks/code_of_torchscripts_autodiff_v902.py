# attack: torch's compiler differentiates a graph, and its graph is run
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch
def part(w0, x1, w1, x2):
    return w0 * x1 * (w1 * x2)


def graphs():
    leaves = tuple(torch.rand((), requires_grad=True) for _ in range(4))
    graph = torch.jit.trace(part, leaves).graph
    torch._C._jit_pass_complete_shape_analysis(graph, leaves, True)
    return torch._C._create_function_from_graph("back", torch._C._jit_differentiate(graph).df)


BACK = graphs()
#: class, value

        zero = torch.zeros(())
        rest = [w0 * x1, None, None, w1 * x2, None, None, None, None]
        back = BACK(torch.ones(()), zero, zero, w0, x1, w1, x2, *rest)
        self.w.grad = torch.stack([back[0], back[2]])
        return y
