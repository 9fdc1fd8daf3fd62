# verdict:
# failed = "manual-forward wrong-shape @P"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: products, y, slopes
        self.w.grad = torch.stack([dw0, dw1])
        return torch.stack([y, dw0])
