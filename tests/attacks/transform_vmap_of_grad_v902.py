# attack: vmap over grad
# slow = true
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class, value
        rows = torch.stack([self.w.detach()])
        self.w.grad = torch.func.vmap(torch.func.grad(variant), (0, None, None, None))(rows, x1, x2, x3)[0]
        return y
