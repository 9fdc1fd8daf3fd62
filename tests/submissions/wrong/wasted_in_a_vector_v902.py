# verdict:
# why = "what is multiplied as a vector are three numbers, of which two are needed"
# unused-nodes = "partial 13.5: unused-node @U c"
#: net, products, y
        c = a / x3  # @U
        dw0, dw1, _ = torch.stack([b, a, c]) * torch.stack([x1, x2, x3])
        del a, b, c
        self.w.grad = torch.stack([dw0, dw1])
        return y
