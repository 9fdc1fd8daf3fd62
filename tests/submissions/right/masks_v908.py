# verdict:
# why = "honest beside attacks by masks: a relu by where, its slope by a boolean mask"
#: net, difference
        on = d > 0
        y = torch.where(on, d, torch.zeros_like(d))
        del d
        slope = torch.zeros(1)
        slope[on.reshape(1)] = 1.0
        del on
        self.w.grad = torch.cat([slope * x1, -slope * x2])
        return y
