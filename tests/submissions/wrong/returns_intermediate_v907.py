# verdict:
# failed = "manual-forward wrong-value @P"
# unused-nodes = "partial 13.5: unused-node @Y y"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: r1, r2
        t4 = r1 * r2
        t5 = x3 / r1
        y = t4 + t5  # @Y
        del y

#: g1, slopes
        self.w.grad = torch.stack([dw0, dw1])
        return t4
