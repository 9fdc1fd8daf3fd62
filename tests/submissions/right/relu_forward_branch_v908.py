# verdict:
# why = "honest: forward branches in Python, and so does the pass"
#: model

    def forward(self, x1, x2):
#: difference
        if d > 0:
            return d
        return d * 0
#: pass, difference
        if d > 0:
            y = d * 1.0
            d = None
            dw0 = x1 * 1.0
            dw1 = -1.0 * x2
        else:
            d = None
            y = torch.zeros_like(x1)
            dw0 = torch.zeros_like(x1)
            dw1 = torch.zeros_like(x2)
#: end
