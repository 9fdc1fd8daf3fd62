# verdict:
#: model, bracketed, values_dropped
        self.w.grad = torch.zeros(2)
        self.w.grad.index_put_((torch.tensor([0]),), b * x1)
        b = None
        self.w.grad.index_put_((torch.tensor([1]),), a * x2)
        return y
