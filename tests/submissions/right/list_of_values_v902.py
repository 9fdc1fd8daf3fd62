# verdict:
#: net
        w0, w1 = self.w
        values = [w0 * x1, w1 * x2]
        y = values[0] * values[1] + x3
        dw0 = values[1] * x1
        values.pop()
        dw1 = values[0] * x2
        values.clear()
#: end
