# attack: the text of what make_fx wrote of a gradient, run by exec
# slow = true
# failed = "integrity transform, integrity foreign-code, gradient, unused-nodes, release"
#: torch, variant_of_w


from torch.fx.experimental.proxy_tensor import make_fx

GRAPH = make_fx(torch.func.grad(variant))(torch.rand(2), *torch.rand(3))


def written():
    space = {"torch": torch, "device": torch.device}
    exec(GRAPH.code, space)
    return space["forward"]


slopes = written()
#: class, value
        self.w.grad = slopes(None, self.w.detach(), x1, x2, x3)
        return y
