# verdict:
# why = "honest beside attacks by properties: the weights by names of their own"
#: model

    @property
    def w0(self):
        return self.w[0]

    @property
    def w1(self):
        return self.w[1]
#: forward, pass
        a = self.w0 * x1
        b = self.w1 * x2
#: y, slopes, end
