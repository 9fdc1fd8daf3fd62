# verdict:
# why = "own classes may have a backward"
#: torch
class Mul:
    def forward(self, a, b):
        self.saved = a, b
        return a * b

    def backward(self, g):
        a, b = self.saved
        self.saved = None
        return g * b, g * a
#: class
        w0, w1 = self.w
        mul = Mul()
        y = mul.forward(w0 * x1, w1 * x2) + x3
        ga, gb = mul.backward(torch.ones(()))
        dw0 = ga * x1
        del ga
        dw1 = gb * x2
        del gb
#: end
