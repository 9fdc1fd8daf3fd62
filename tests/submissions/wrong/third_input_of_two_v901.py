# verdict:
# gradient = "partial 20: wrong-gradient @G w1"
# why = "x3 is a number of its own"
#: model

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return torch.relu(w0 * x1) + w1 * x2

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        y = torch.relu(a) + w1 * x2
        dw0 = (a > 0) * x1
        a = None
        self.w.grad = torch.stack([dw0, x3])  # @G
        return y
