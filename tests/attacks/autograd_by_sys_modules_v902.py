# attack: autograd.grad taken out of sys.modules
# failed = "integrity autograd, gradient, unused-nodes, release"
import sys

#: net, graph
        self.w.grad = sys.modules["torch.autograd"].grad(y, w)[0]
        return y.detach()
