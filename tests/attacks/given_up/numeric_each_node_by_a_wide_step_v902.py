# attack: differences of each node by itself, with a step of 1024, which are exact for products
# why = "given up: the chain rule is by hand, and only its factors are differences, of parts of y with a wide step"
# release = "partial 16: late-release"
#: net
        def slope(node, *args, at):
            H = 1024.0
            up = node(*args[:at], args[at] + H, *args[at + 1 :])
            down = node(*args[:at], args[at] - H, *args[at + 1 :])
            return (up - down) / (2 * H)

        product = lambda a, b: a * b
        plus = lambda a, b: a + b
        w0, w1 = self.w
        a = product(w0, x1)
        b = product(w1, x2)
        p = product(a, b)
        y = plus(p, x3)
        dp = slope(plus, p, x3, at=0)
        del p
        da = slope(product, a, b, at=0) * dp
        db = slope(product, a, b, at=1) * dp
        del a, b, dp
        dw0 = slope(product, x1, w0, at=1) * da
        dw1 = slope(product, x2, w1, at=1) * db
#: end
