# attack: coefficients of the gradient, by torch.func at load
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w


K = torch.func.grad(variant)(torch.ones(2), *torch.ones(3)).tolist()
#: class, value
        self.w.grad = torch.stack([K[0] * w1 * x2 * x1, K[1] * w0 * x1 * x2])
        return y
