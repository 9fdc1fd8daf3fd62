# verdict:
# why = "a generator, of which nothing runs"
# failed = "gradient no-gradient @P w0, gradient no-gradient @P w1, manual-forward wrong-type @P, unused-nodes, release"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: products, y, slopes
        self.w.grad = torch.stack([dw0, dw1])
        yield y
