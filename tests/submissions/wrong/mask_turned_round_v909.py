# verdict:
# why = "the mask is turned round"
# gradient = "partial 20: wrong-gradient @A w1"
#: model

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.sqrt(w0 * x1) * torch.tanh(w1) + torch.max(x2, w1)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        s = torch.sqrt(w0 * x1)
        t = torch.tanh(w1)
        y = s * t + torch.maximum(x2, w1)
        dw0 = t * 0.5 * x1 / s
        dw1 = s * (1 - t ** 2) + (x2 > w1).float()  # @A
        s = t = None
#: end
