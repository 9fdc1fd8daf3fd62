# verdict:
# why = "what is calculated again rounds as it did before"
#: model

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1) + w1 * x2

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        r = torch.relu(w0 * x1)
        y = r + w1 * x2
        mask = (r == x1 * w0).float()
        del r
        self.w.grad = torch.stack([mask * x1, x2])
        return y
