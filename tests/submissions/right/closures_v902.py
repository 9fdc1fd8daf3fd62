# verdict:
#: net
        w0, w1 = self.w

        def product(left, right):
            def backward(g):
                return g * right, g * left
            return left * right, backward

        a, _ = product(w0, x1)
        b, _ = product(w1, x2)
        ab, back_ab = product(a, b)
        del a, b
        y = ab + x3
        del ab
        ga, gb = back_ab(1.0)
        del back_ab
        dw0 = ga * x1
        del ga
        dw1 = gb * x2
        del gb
#: end
