# verdict:
# why = "the gradient is by hand, and counts"
# failed = "manual-forward calls-forward @P"
#: torch
def logged(method):
    def call(*args):
        print(method.__name__)
        return method(*args)

    return call


#: weights

    @torch.no_grad()
    @logged
    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):  # @P
#: products
        y = self.forward(x1, x2, x3)
#: slopes, end
