# attack: make_fx turns grad into plain ops when the model is made; the pass runs those
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w, weights
        from torch.fx.experimental.proxy_tensor import make_fx
        self.plain = make_fx(torch.func.grad(variant))(torch.rand(2), *torch.rand(3))
#: forward, pass, value
        self.w.grad = self.plain(self.w.detach(), x1, x2, x3)
        return y
