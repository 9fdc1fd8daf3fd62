# verdict:
#: net
        w0, w1 = self.w
        r1 = (
            w0 ** 2
            + w1 * x1
        )
        r2 = w0 * x2 \
            - w1
        y = (
            r1 * r2
            + x3 / r1
        )
        g1 = (
            r2
            - x3
            / r1 ** 2
        )
        del (
            r2,
        )
        dw0 = (
            g1 * 2 * w0
            + r1 * x2
        )
        dw1 = (g1 * x1
               - r1)
        del g1, r1
        self.w.grad = torch.stack(
            [
                dw0,
                dw1,
            ]
        )
        return y
