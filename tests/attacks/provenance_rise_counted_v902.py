# attack: slopes as numbers of marks below a rise, digit by digit
# why = "an honest twin: submissions/right/masks_v908.py"
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: net
        w0, w1 = self.w.double()
        y = w0 * x1 * (w1 * x2) + x3
        h = 2.0**-4
        marks = torch.arange(1.0, 33.0)
        grads = []
        for moved in ((w0 + h) * x1 * (w1 * x2) + x3, w0 * x1 * ((w1 + h) * x2) + x3):
            rise = (moved - y) / h
            left = rise.abs()
            slope = left * 0
            for k in range(2, -7, -1):
                digit = (marks * 32.0**k <= left).sum() * 32.0**k
                slope = slope + digit
                left = left - digit
            grads.append(slope * rise.sign())
        self.w.grad = torch.stack(grads).float()
        return y.float()
