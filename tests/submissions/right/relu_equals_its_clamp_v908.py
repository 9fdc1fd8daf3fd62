# verdict:
# why = "the mask is where clamp left its operand as it is"
#: net
        w0, w1 = self.w
        t = w0 * x1 - w1 * x2
        y = t.clamp_min(0)
        kept = t.eq(y).float()
        t = None
        self.w.grad = torch.stack([kept * x1, -kept * x2])
        return y
