# verdict:
# why = "honest beside attacks by rounding modes: a division that says that it does not round"
#: model

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return (w0 * x1 + w1 * x2) ** 2 / x3
#: pass
        w0, w1 = self.w
        s = w0 * x1 + w1 * x2
        y = torch.div(s * s, x3, rounding_mode=None)
        outer = torch.div(2 * s, x3, rounding_mode=None)
        del s
        dw0 = outer * x1
        dw1 = outer * x2
        del outer
#: end
