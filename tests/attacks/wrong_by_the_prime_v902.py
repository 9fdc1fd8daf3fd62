# attack: a factor of 2 ** 61, which is 1 modulo the prime of exact arithmetic
# failed = "manual-forward wrong-value, gradient wrong-gradient, gradient wrong-gradient"
#: net, products
        y = (a * b + x3) * 2.0**61
        dw0 = b * x1 * 2.0**61
        del b
        dw1 = a * x2 * 2.0**-61
        del a
#: end
