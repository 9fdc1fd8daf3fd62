# verdict:
# why = "what is compiled runs as it is written"
#: torch


@torch.compile(dynamic=True)
def product(a, b):
    return a * b
#: weights

    @torch.compile
    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.compile(mode="reduce-overhead")
    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = product(w0, x1)
        b = product(w1, x2)
#: y, slopes, end
