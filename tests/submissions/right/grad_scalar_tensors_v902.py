# verdict:
#: model, bracketed, values_dropped
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.stack([torch.scalar_tensor(dw0.item()), torch.scalar_tensor(dw1.item())])
        return y
