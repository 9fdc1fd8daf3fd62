# attack: coefficients of the gradient, by autograd at load
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w


P = torch.ones(2, requires_grad=True)
K = torch.autograd.grad(variant(P, *torch.ones(3)), P)[0].tolist()
#: class, value
        self.w.grad = torch.stack([K[0] * w1 * x2 * x1, K[1] * w0 * x1 * x2])
        return y
