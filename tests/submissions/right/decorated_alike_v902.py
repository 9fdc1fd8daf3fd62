# verdict:
# why = "both methods run below the same function of the decorator's, and the pass does not call forward"
#: torch
def logged(method):
    def call(*args):
        print(method.__name__)
        return method(*args)

    return call


#: weights

    @logged
    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @logged
    def my_forward_backward(self, x1, x2, x3):
#: honest
