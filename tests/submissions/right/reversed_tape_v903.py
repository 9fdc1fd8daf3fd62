# verdict:
#: net
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        s = a + b
        del a, b
        tape = [("div", x3), ("square", s)]
        y = s ** 2 / x3
        del s
        g = torch.tensor(1.0)
        while tape:
            kind, value = tape.pop()
            if kind == "square":
                g = g * 2 * value
            else:
                g = g / value
            del value
        dw0 = g * x1
        dw1 = g * x2
        del g
#: end
