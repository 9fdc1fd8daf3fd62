# verdict:
# why = "a helper of its own, compiled by torch.jit.script"
#: torch

@torch.jit.script
def times(a, b):
    return a * b
#: class
        w0, w1 = self.w
        a = times(w0, x1)
        b = times(w1, x2)
        y = a * b + x3
        dw0 = times(b, x1)
        del b
        dw1 = times(a, x2)
        del a
#: end
