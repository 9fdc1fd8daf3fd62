# attack: torch.autograd.functional.jacobian in forward mode
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w, class, value
        self.w.grad = torch.autograd.functional.jacobian(lambda w: variant(w, x1, x2, x3), self.w.detach(), vectorize=True, strategy="forward-mode")
        return y
