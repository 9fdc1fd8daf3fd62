# verdict:
# failed = "manual-forward wrong-dtype @P"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: values, g1, slopes
        self.w.grad = torch.stack([dw0, dw1])
        return y.double()
