# verdict:
# why = "honest beside attacks by bounds of clamps: a relu by clamp, its slope by comparison"
#: net, difference
        y = d.clamp(min=0.0)
        slope = (d > 0).float()
        del d
        dw0 = slope * x1
        dw1 = -slope * x2
        del slope
#: end
