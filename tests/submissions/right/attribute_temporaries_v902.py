# verdict:
#: net
        w0, w1 = self.w
        self.a = w0 * x1
        self.b = w1 * x2
        y = self.a * self.b + x3
        dw0 = self.b * x1
        del self.b
        dw1 = self.a * x2
        self.a = None
#: end
