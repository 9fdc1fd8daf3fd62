# attack: the levels of functorch by torch._C alone
# failed = "forward raises, manual-forward raises, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        raw = torch._C._functorch
        level = raw._grad_increment_nesting()
        w = raw._wrap_for_grad(self.w.detach(), level)
        with torch.enable_grad():
            w.requires_grad_()
            y = variant(w, x1, x2, x3)
            g = torch.autograd.grad(y, w)[0]
        y, self.w.grad = raw._unwrap_for_grad(y, level), raw._unwrap_for_grad(g, level)
        raw._grad_decrement_nesting()
        return y
