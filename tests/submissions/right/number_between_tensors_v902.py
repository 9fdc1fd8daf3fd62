# verdict:
#: model, bracketed
        w0, w1 = self.w
        k = (w0 * x1).item()
        a = torch.tensor(k)
        k = None
        b = torch.full((), float(w1 * x2))
        p = torch.zeros(()).fill_((a * b).item())
        y = p + x3
        p = None
        dw0 = torch.scalar_tensor((x1 * b).item())
        b = None
        dw1 = x1.new_tensor(float(a * x2))
        a = None
#: end
