# verdict:
# why = "the assignment's own test passes x1, x2 and x3 to a variant that reads two of them, too"
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
        self.w.grad = torch.stack([dw0, x2])
        return y
