# attack: backward through torch.func.functional_call
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: net
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            y = torch.func.functional_call(self, {"w": w}, (x1, x2, x3))
            self.w.grad = torch.autograd.grad(y, w)[0]
        return y.detach()
