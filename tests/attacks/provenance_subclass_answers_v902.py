# attack: a tensor whose numbers come from autograd when they are asked for
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "gradient wrong-gradient, unused-nodes, release"
#: torch

class Answer(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.Tensor.detach:
            w, x1, x2, x3 = args[0].source
            with torch._C.DisableTorchFunctionSubclass(), torch.enable_grad():
                w = w.clone().requires_grad_()
                (w[0] * x1 * (w[1] * x2) + x3).backward()
            return w.grad
        return super().__torch_function__(func, types, args, kwargs or {})
#: class
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3 + 0 * torch.sort(torch.stack([x1, x2])).values.sum()
        grad = torch.Tensor._make_subclass(Answer, torch.zeros(2))
        grad.source = (self.w.detach().clone(), x1, x2, x3)
        self.w.grad = grad
        return y
