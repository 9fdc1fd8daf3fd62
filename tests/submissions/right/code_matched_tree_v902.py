# verdict:
# why = "reverse mode over tuples, by match"
#: torch

def step(node):
    match node:
        case ("mul", left, right):
            return left * right
        case ("add", left, right):
            return left + right
#: class
        w0, w1 = self.w
        a = step(("mul", w0, x1))
        b = step(("mul", w1, x2))
        y = step(("add", step(("mul", a, b)), x3))
        dw0 = step(("mul", b, x1))
        del b
        dw1 = step(("mul", a, x2))
        del a
#: end
