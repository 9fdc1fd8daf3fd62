# verdict:
#: net, products, y
        dw0 = b * x1 if self.training else x1 * b
        del b
        dw1 = a * x2
        del a
#: end
