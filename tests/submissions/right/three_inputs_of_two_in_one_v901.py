# verdict:
# why = "as the worked example takes them"
#: model

    def forward(self, X):
        x1, x2, x3 = X
        w0, w1 = self.w
        return torch.relu(w0 * x1) + w1 * x2

    def my_forward_backward(self, X):
        w0, w1, x1, x2, x3 = *self.w, X[0], X[1], X[2]
        a = w0 * x1
        y = torch.relu(a) + w1 * x2
        dw0 = (a > 0) * x1
        a = None
        self.w.grad = torch.stack([dw0, x2])
        return y
