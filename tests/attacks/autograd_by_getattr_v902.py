# attack: autograd.grad spelt with getattr and pieces of names
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        grad = getattr(getattr(torch, "auto" + "grad"), "gr" + "ad")
        self.w.grad = grad(y, w)[0]
        return y.detach()
