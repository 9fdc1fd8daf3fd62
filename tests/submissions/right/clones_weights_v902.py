# verdict:
#: net
        w0 = self.w[0].clone().detach()
        w1 = self.w.data[1]
        a = w0 * x1
        b = w1 * x2
#: y, slopes, end
