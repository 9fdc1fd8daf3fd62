# attack: coefficients of the gradient, by autograd in the constructor
# failed = "integrity autograd, gradient, unused-nodes, release"
#: model
        w = torch.ones(2, requires_grad=True)
        (w[0] * w[1] + 0.5).backward()
        self.k = w.grad.tolist()
#: forward, pass, value
        self.w.grad = torch.stack([self.k[0] * w1 * x2 * x1, self.k[1] * w0 * x1 * x2])
        return y
