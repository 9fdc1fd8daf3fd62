# verdict:
# notes = ["takes one argument"]
#: model

    def forward(self, X):
        x1, x2, x3 = X
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, X):
        x1, x2, x3 = X
#: honest
