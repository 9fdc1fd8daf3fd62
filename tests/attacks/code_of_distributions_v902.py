# attack: the chain rule of distributions: Jacobians of transforms
# failed = "integrity transform, gradient, unused-nodes, release"
import torch.distributions.transforms as T
#: torch, class
        w0, w1 = self.w
        b = w1 * x2
        a = w0 * x1
        chain = T.ComposeTransform([T.AffineTransform(0., x1), T.AffineTransform(x3, b)])
        y = chain(w0)
        dw0 = chain.log_abs_det_jacobian(w0, y).exp() * torch.sign(x1) * torch.sign(b)
        other = T.ComposeTransform([T.AffineTransform(0., x2), T.AffineTransform(x3, a)])
        dw1 = other.log_abs_det_jacobian(w1, y).exp() * torch.sign(x2) * torch.sign(a)
        self.w.grad = torch.stack([dw0, dw1])
        return y
