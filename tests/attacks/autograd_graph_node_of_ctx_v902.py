# attack: calls nodes of autograd's graph that a Function of its own has for neighbours
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch, tap, class
        with torch.enable_grad():
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            a, b = w0 * x1, w1 * x2
            c = a * b
            Tap.apply(c)
#: tapped
