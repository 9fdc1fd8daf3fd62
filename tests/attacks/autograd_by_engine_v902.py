# attack: torch's engine called without torch.autograd
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        engine = torch.autograd.Variable._execution_engine
        self.w.grad = engine.run_backward((y,), (torch.ones(()),), False, False, (w,), False, False)[0]
        return y.detach()
