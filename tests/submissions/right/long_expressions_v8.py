# verdict:
# why = "a temporary inside a statement dies with it"
#: model

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = x3 * (w0 ** 2 + w1 ** 2)
        r2 = (x3 + w0 / w1) * (3 * w0 + x3 * w1)
        r3 = x3 - (w1 - x2) ** 2 / w0
        return r1 + r2 + r3 / (x1 - x2 - r1)

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = x3 * (w0 ** 2 + w1 ** 2) + (x3 + w0 / w1) * (3 * w0 + x3 * w1) + (x3 - (w1 - x2) ** 2 / w0) / (x1 - x2 - x3 * (w0 ** 2 + w1 ** 2))
        dw0 = 2 * x3 * w0 + (3 * w0 + x3 * w1) / w1 + 3 * (x3 + w0 / w1) + (w1 - x2) ** 2 / w0 ** 2 / (x1 - x2 - x3 * (w0 ** 2 + w1 ** 2)) + (x3 - (w1 - x2) ** 2 / w0) * 2 * x3 * w0 / (x1 - x2 - x3 * (w0 ** 2 + w1 ** 2)) ** 2
        dw1 = 2 * x3 * w1 - w0 / w1 ** 2 * (3 * w0 + x3 * w1) + x3 * (x3 + w0 / w1) - 2 * (w1 - x2) / w0 / (x1 - x2 - x3 * (w0 ** 2 + w1 ** 2)) + (x3 - (w1 - x2) ** 2 / w0) * 2 * x3 * w1 / (x1 - x2 - x3 * (w0 ** 2 + w1 ** 2)) ** 2
        self.w.grad = torch.stack((dw0, dw1))
        return y
