# attack: torch.func.vjp
# slow = true
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        y, pull = torch.func.vjp(lambda w: variant(w, x1, x2, x3), self.w.detach())
        self.w.grad = pull(torch.ones(()))[0]
        return y
