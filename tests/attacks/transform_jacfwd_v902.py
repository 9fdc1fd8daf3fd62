# attack: torch.func.jacfwd
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w, class, value
        self.w.grad = torch.func.jacfwd(variant)(self.w.detach(), x1, x2, x3)
        return y
