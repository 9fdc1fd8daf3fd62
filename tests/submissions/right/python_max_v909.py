# verdict:
# why = "honest: the greater of two by Python's own max"
#: model

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.sqrt(w0 * x1) * torch.tanh(w1) + torch.max(x2, w1)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        root = torch.sqrt(w0 * x1)
        t = torch.tanh(w1)
        y = root * t + max(x2, w1)
        dw0 = t / (2 * root) * x1
        dw1 = root * (1 - t * t)
        del root, t
        if w1 > x2:
            dw1 = dw1 + 1
#: end
