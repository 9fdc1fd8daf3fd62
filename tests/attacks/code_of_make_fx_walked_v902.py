# attack: the graph of a gradient that make_fx wrote, walked by a loop of its own
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w


from torch.fx.experimental.proxy_tensor import make_fx

GRAPH = make_fx(torch.func.grad(variant))(torch.rand(2), *torch.rand(3))

STEPS = [(n.op, n.name, n.target, [getattr(a, "name", a) for a in n.args]) for n in GRAPH.graph.nodes]
#: class, value

        values, given = {}, [self.w.detach(), x1, x2, x3]
        for op, name, target, args in STEPS:
            args = [values[a] if isinstance(a, str) else a for a in args]
            if op == "placeholder":
                values[name] = given.pop(0)
            elif op == "output":
                self.w.grad = args[0]
            else:
                values[name] = target(*args)
        return y
