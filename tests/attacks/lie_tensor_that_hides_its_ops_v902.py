# attack: a tensor subclass that runs autograd inside __torch_function__
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
class Slope(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunction(), torch.enable_grad():
            w = args[0].detach().clone().requires_grad_()
            y = w[0] * args[1] * (w[1] * args[2])
            return torch.autograd.grad(y, w)[0]

    @staticmethod
    def of(w, *x):
        return torch.addcmul(w.detach().as_subclass(Slope), *x[:2])
#: class, value
        self.w.grad = Slope.of(self.w, x1, x2, x3)
        return y
