# attack: calls backward on a graph of its own
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        y.backward()
        self.w.grad = w.grad
        return y.detach()
