# attack: an engine object of its own
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        engine = torch._C._ImperativeEngine()
        self.w.grad = engine.run_backward((y,), (torch.ones(()),), False, False, (w,), False, False)[0]
        return y.detach()
