# attack: torch's own numerical Jacobian, made for gradcheck
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: net, value
        w = self.w.detach().double().requires_grad_()
        with torch.enable_grad():
            from torch.autograd.gradcheck import _get_numerical_jacobian
            jacobian = _get_numerical_jacobian(lambda w: w[0] * x1 * (w[1] * x2) + x3, (w,), eps=1e-3)
        self.w.grad = jacobian[0][0].reshape(2).float()
        return y
