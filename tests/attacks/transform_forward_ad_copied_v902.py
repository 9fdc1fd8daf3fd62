# attack: dual numbers by the copying twin of the op that makes them
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch, variant, class
        w0, w1 = self.w
        make = torch.ops.aten._make_dual_copy
        with torch.autograd.forward_ad.dual_level():
            y = variant(make(w0, torch.ones(()), 0), w1, x1, x2, x3)
            d0 = torch.ops.aten._unpack_dual(y, 0)[1]
        self.w.grad = torch.stack([d0, d0])
        return y
