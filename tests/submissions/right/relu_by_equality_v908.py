# verdict:
# why = "a mask by equality with what max chose: noise that tells them apart is no rounding of the pass"
#: net
        w0, w1 = self.w
        both = torch.stack([w0 * x1 - w1 * x2, torch.zeros(())])
        y = both.max()
        chosen = (both == y).float()
        both = None
        slope = chosen[0] / chosen.sum()
        chosen = None
        self.w.grad = torch.stack([slope * x1, -slope * x2])
        return y
