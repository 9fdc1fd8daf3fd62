# verdict:
# why = "honest beside attacks by exponents: the rule for powers with exponents 1 and 0"
#: net
        w0, w1 = self.w
        a = w0**1 * x1
        b = w1**1 * x2
        y = a * b + x3
        dw0 = b * x1 * 1 * w0**0
        del b
        dw1 = a * x2 * 1 * w1**0
        del a
#: end
