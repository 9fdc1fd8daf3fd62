# attack: autograd.grad through importlib
# failed = "integrity autograd, gradient, unused-nodes, release"
import importlib

#: net, graph
        found = importlib.import_module("torch." + "dargotua"[::-1])
        self.w.grad = found.grad(y, w)[0]
        return y.detach()
