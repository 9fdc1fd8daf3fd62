# verdict:
# why = "the ops of y do reach what is returned"
# failed = "manual-forward wrong-type @P"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: values, g1, slopes
        self.w.grad = torch.stack([dw0, dw1])
        return float(y)
