# verdict:
# why = "the gradient is by hand, and counts"
# failed = "manual-forward calls-forward @P"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: products
        y = self.forward(x1, x2, x3)
#: slopes, end
