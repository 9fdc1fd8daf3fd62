# verdict:
#: model, bracketed, values_dropped
        self.w.grad = torch.zeros(2)
        self.w.grad[0].fill_((b * x1).item())
        b = None
        self.w.grad[1].fill_((a * x2).item())
        return y
