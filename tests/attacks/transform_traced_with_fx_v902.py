# attack: make_fx turns grad into plain ops, which then run
# slow = true
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class, value
        from torch.fx.experimental.proxy_tensor import make_fx

        plain = make_fx(torch.func.grad(variant))(self.w.detach(), x1, x2, x3)
        self.w.grad = plain(self.w.detach(), x1, x2, x3)
        return y
