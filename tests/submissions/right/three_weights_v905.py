# verdict:
# why = "the gradient of w0 is an input, as it is"
#: net
        w0, w1, w2 = self.w
        y = w0 * x1 + w1 * w2 * x2
        self.w.grad = torch.stack([x1, w2 * x2, w1 * x2])
        return y
