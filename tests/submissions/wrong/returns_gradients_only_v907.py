# verdict:
# failed = "manual-forward wrong-shape @P"
# unused-nodes = "partial 12: unused-node @T t4, unused-node @Y y"
# release = "partial 18: late-release @Y y"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: r1, r2
        t4 = r1 * r2  # @T
        t5 = x3 / r1
        y = t4 + t5  # @Y
        t4 = None

#: g1, slopes
        self.w.grad = torch.stack([dw0, dw1])
        return self.w.grad
