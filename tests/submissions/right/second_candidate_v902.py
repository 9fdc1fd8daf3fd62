# verdict:
# why = "the last class with both methods is the one"
# notes = ["all have forward and a manual"]
#: torch
class Example(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1
#: pass
        w0, w1 = self.w
        t1 = w0 ** 2
        t2 = w1 * x1
        r1 = t1 + t2
        t1 = t2 = None
        t3 = w0 * x2
        r2 = t3 - w1
        t3 = None
        t4 = r1 * r2
        t5 = x3 / r1
        y = t4 + t5
        t4 = None

        g1 = r2 - t5 / r1
        r2 = t5 = None
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end, class, honest
