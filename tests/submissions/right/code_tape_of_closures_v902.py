# verdict:
# why = "a tape of closures, run backwards"
#: net
        w0, w1 = self.w
        tape = []
        a, b = w0 * x1, w1 * x2
        tape.append(lambda a=a: a * x2)
        tape.append(lambda b=b: b * x1)
        y = a * b + x3
        del a, b
        grads = []
        while tape:
            grads.append(tape.pop()())
        self.w.grad = torch.stack(grads)
        return y
