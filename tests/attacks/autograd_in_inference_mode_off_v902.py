# attack: leaves inference mode, then backward
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net
        with torch.inference_mode(False), torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            y = w[0] * x1 * (w[1] * x2) + x3
            torch.autograd.backward(y)
        self.w.grad = w.grad
        return y.detach()
