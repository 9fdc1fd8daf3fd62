# verdict:
# release = "partial 16: late-release @L a, late-release @L b"
#: model

    def _down(self, a, b, x1, x2):
        self.w.grad = torch.stack([b * x1, a * x2])
#: forward, pass, products, y
        self._down(a, b, x1, x2)  # @L
        return y + 0
