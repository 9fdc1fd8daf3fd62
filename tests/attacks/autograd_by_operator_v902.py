# attack: backward by operator.methodcaller
# failed = "integrity autograd, gradient, unused-nodes, release"
import operator

#: net, graph
        operator.methodcaller("backward")(y)
        self.w.grad = w.grad
        return y.detach()
