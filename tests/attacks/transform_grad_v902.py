# attack: torch.func.grad
# slow = true
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class, value
        self.w.grad = torch.func.grad(variant)(self.w.detach(), x1, x2, x3)
        return y
