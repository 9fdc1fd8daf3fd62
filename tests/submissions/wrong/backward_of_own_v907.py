# verdict:
# why = "the value is computed by hand, the gradient is not"
# failed = "integrity autograd @I, gradient, unused-nodes, release"
#: net
        with torch.enable_grad():
            w0, w1 = self.w
            r1 = w0 ** 2 + w1 * x1
            r2 = w0 * x2 - w1
            y = r1 * r2 + x3 / r1
            y.backward()  # @I
        return y.detach()
