# attack: autograd once, when the model is made; its numbers given for every point
# failed = "integrity autograd, gradient, unused-nodes, release"
#: model
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            (w[0] * 0.5 * (w[1] * 0.75) + 0.25).backward()
        self.kept = w.grad
#: forward, pass, value
        self.w.grad = self.kept.clone()
        return y
