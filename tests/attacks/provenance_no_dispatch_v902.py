# attack: the engine run where the dispatcher's Python key is left out
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, value
        found = torch.zeros(2)
        guard = torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.Python))
        with torch.enable_grad():
            w = self.w.detach().requires_grad_()
            z = w[0] * x1 * (w[1] * x2) + x3
            engine = torch.autograd.Variable._execution_engine
            found.copy_(engine.run_backward((z,), (torch.ones(()),), False, False, (w,), allow_unreachable=True, accumulate_grad=False)[0])
        del guard
        self.w.grad = found + 0 * torch.sort(torch.stack([x1, x2])).values
        return y
