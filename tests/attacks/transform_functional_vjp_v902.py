# attack: torch.autograd.functional.vjp
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        y, self.w.grad = torch.autograd.functional.vjp(lambda w: variant(w, x1, x2, x3), self.w.detach())
        return y
