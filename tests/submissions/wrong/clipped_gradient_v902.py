# verdict:
# why = "a gradient that is clipped where it is large: with numbers of the assignment's size it never is"
# gradient = "partial 20: wrong-gradient @G w0"
#: model, forward, pass
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        dw0 = b * x1  # @G
        b = None
        if dw0 > 10:
            dw0 = dw0 / dw0 * 10
        dw1 = a * x2
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
