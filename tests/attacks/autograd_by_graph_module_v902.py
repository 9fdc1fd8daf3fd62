# attack: the engine through torch.autograd.graph
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        self.w.grad = torch.autograd.graph._engine_run_backward((y,), (torch.ones(()),), False, False, (w,), allow_unreachable=False, accumulate_grad=False)[0]
        return y.detach()
