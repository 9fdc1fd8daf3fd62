# verdict:
# why = "as_tensor gives a tensor as it is, and so it does where the pass runs on long vectors"
#: net
        w0, w1 = torch.as_tensor(self.w.float())
        x1, x2, x3 = (torch.as_tensor(x, dtype=torch.float32) for x in (x1, x2, x3))
        a, b = w0 * x1, w1 * x2
#: y, slopes, end
