# attack: autograd.grad through __import__
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        self.w.grad = __import__("torch.autograd").autograd.grad(y, w)[0]
        return y.detach()
