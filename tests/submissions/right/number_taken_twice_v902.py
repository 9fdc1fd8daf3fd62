# verdict:
#: model, bracketed, values_dropped
        k = float(b * x1)
        b = None
        k = float(k)
        m = (a * x2).tolist()
        a = None
        self.w.grad = torch.as_tensor([k, m])
        return y
