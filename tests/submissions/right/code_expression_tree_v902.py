# verdict:
# why = "a symbolic derivative by a tree and rules of its own, evaluated by its own code"
#: torch

class Name:
    def __init__(self, name):
        self.name = name

    def __mul__(self, other):
        return Product(self, other)

    def at(self, space):
        return space[self.name]

    def diff(self, name):
        return None if name != self.name else One()


class One:
    def at(self, space):
        return 1.0


class Product:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def at(self, space):
        return self.left.at(space) * self.right.at(space)

    def diff(self, name):
        return self.right if self.left.diff(name) is not None else self.left


A = Name("w0") * Name("x1")
B = Name("w1") * Name("x2")
#: class
        w0, w1 = self.w
        space = {"w0": w0, "w1": w1, "x1": x1, "x2": x2}
        space["a"] = A.at(space)
        space["b"] = B.at(space)
        y = (Name("a") * Name("b")).at(space) + x3
        outer = (Name("a") * Name("b"))
        slope_a = outer.diff("a").at(space)
        del space["b"]
        slope_b = outer.diff("b").at(space)
        del space["a"]
        dw0 = slope_a * A.diff("w0").at(space)
        del slope_a
        dw1 = slope_b * B.diff("w1").at(space)
        del slope_b
#: end
