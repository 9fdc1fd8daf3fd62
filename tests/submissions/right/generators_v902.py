# verdict:
#: net
        w0, w1 = self.w

        def steps():
            yield w0 * x1
            yield w1 * x2

        a, b = steps()
        y = a * b + x3

        def gradients():
            yield b * x1
            yield a * x2

        self.w.grad = torch.stack(list(gradients()))
        del a, b
        return y
