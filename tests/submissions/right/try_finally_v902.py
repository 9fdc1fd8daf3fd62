# verdict:
#: net
        try:
            w0, w1 = self.w
            a = w0 * x1
            b = w1 * x2
            y = a * b + x3
            dw0 = b * x1
            del b
            dw1 = a * x2
            del a
            self.w.grad = torch.stack([dw0, dw1])
            return y
        finally:
            print("done")
