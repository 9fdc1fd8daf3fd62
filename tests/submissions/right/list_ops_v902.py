# verdict:
# why = "an op on lists of tensors is recorded as the op on each"
#: net
        w0, w1 = self.w
        a, b = torch._foreach_mul([w0, w1], [x1, x2])
#: y, slopes, end
