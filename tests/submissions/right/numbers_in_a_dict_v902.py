# verdict:
#: model, bracketed, values_dropped
        g = {}
        g['w0'] = (b * x1).item()
        b = None
        g['w1'] = (a * x2).item()
        a = None
        self.w.grad = torch.tensor([g[k] for k in sorted(g)])
        return y
