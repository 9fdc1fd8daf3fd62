# verdict:
#: model

    def _up(self, x1, x2, x3):
#: products, y
        return y, [a, b]

    def _down(self, saved, x1, x2):
        dw0 = saved.pop() * x1
        dw1 = saved.pop() * x2
        self.w.grad = torch.stack([dw0, dw1])
#: forward, pass
        y, saved = self._up(x1, x2, x3)
        self._down(saved, x1, x2)
        return y
