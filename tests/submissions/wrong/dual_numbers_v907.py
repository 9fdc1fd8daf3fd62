# verdict:
# slow = true
# failed = "integrity transform @I, gradient, unused-nodes, release"
#: net
        def function(w):
            w0, w1 = w
            r1 = w0 ** 2 + w1 * x1
            r2 = w0 * x2 - w1
            return r1 * r2 + x3 / r1

        y = function(self.w)

        grads = []
        for e in torch.eye(2):
            with torch.autograd.forward_ad.dual_level():
                dual = torch.autograd.forward_ad.make_dual(self.w.detach(), e)  # @I
                grads.append(torch.autograd.forward_ad.unpack_dual(function(dual)).tangent)
        self.w.grad = torch.stack(grads)
        return y
