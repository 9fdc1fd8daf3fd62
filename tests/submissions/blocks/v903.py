#= forward

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        s = w0 * x1 + w1 * x2
        return s ** 2 / x3
#= pass

    def my_forward_backward(self, x1, x2, x3):
