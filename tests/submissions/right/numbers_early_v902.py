# verdict:
# why = "Numbers leave tensors early, and are used beside tensors."
#: model, bracketed
        w0, w1 = self.w
        a = float(w0 * x1)
        b = w1 * x2
        y = a * b + x3
        dw0 = (b * x1).item()
        b = None
        dw1 = (a * x2).item()
        a = None
        self.w.grad = torch.tensor([dw0, dw1])
        return y
