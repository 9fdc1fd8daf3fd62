# verdict:
# failed = "integrity complex @P, gradient, unused-nodes, release"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):
        def function(w):
            w0, w1 = w
            r1 = w0 ** 2 + w1 * x1  # @P
            r2 = w0 * x2 - w1
            return r1 * r2 + x3 / r1

        y = function(self.w)

        h = 1e-20
        w0, w1 = self.w
        dw0 = function((torch.complex(w0, torch.tensor(h)), w1)).imag / h
        dw1 = function((w0, torch.complex(w1, torch.tensor(h)))).imag / h
#: end
