# verdict:
# why = "A small reverse-mode tape of the student."
#: torch

def mul(tape, grads, out, left, right):
    (i, a), (j, b) = left, right

    def back():
        g = grads.pop(out)
        if i is not None:
            grads[i] = g * b
        if j is not None:
            grads[j] = g * a

    v = a * b
    tape.append(back)
    return v
#: weights, bracketed
        tape, grads = [], {}
        w0, w1 = self.w
        a = mul(tape, grads, 'a', ('w0', w0), (None, x1))
        b = mul(tape, grads, 'b', ('w1', w1), (None, x2))
        p = mul(tape, grads, 'p', ('a', a), ('b', b))
        a = b = None
        y = p + x3
        p = None
        grads['p'] = torch.ones_like(y)
        while tape:
            tape.pop()()
        self.w.grad = torch.stack([grads['w0'], grads['w1']])
        return y
