# verdict:
# why = "forward mode by dual numbers of its own"
#: torch

class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope

    def __mul__(self, other):
        pairs = zip(self.slope, other.slope)
        return Dual(self.value * other.value, [self.along(other, *pair) for pair in pairs])

    def along(self, other, mine, theirs):
        if isinstance(theirs, float):
            return mine * other.value
        return self.value * theirs
#: class
        w0, w1 = self.w
        a = Dual(w0 * x1, (x1, 0.0))
        b = Dual(w1 * x2, (0.0, x2))
        product = a * b
        del a, b
        y = product.value + x3
        dw0, dw1 = product.slope
        del product
#: end
