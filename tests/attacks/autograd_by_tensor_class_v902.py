# attack: backward taken from the class's own dict
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        torch.Tensor.__dict__["back" + "ward"](y)
        self.w.grad = w.grad
        return y.detach()
