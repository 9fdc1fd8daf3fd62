# attack: coefficients of the gradient, by forward-mode AD at load
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import torch.autograd.forward_ad as fwd

#: model
        global K
        K = []
        with fwd.dual_level():
            for n in (0, 1):
                dual = fwd.make_dual(torch.ones(2), torch.eye(2)[n])
                K.append(float(fwd.unpack_dual(dual[0] * dual[1] + 0.5).tangent))
#: forward, pass, value
        self.w.grad = torch.stack([K[0] * w1 * x2 * x1, K[1] * w0 * x1 * x2])
        return y
